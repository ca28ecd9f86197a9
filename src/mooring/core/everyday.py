"""What people say, and what tools call it: it leads from the first to the second, and not back."""

from __future__ import annotations

from mooring.core.words import stem

__all__ = ["meant"]

_SAID = """
diary planner agenda: calendar event
busy free available: freebusy availability events
appointment dentist doctor lunch dinner date party: calendar event create
invitation invite rsvp guest: event respond attendee
holiday vacation away absent: out office
boss friend mum mother dad colleague coworker: contact recipient
letter essay report memo: document
remind forget errand chore groceries: task reminder add
tick: complete task
chat talk tell announce discuss: message channel post
thumbs like emoji heart: reaction
umbrella rain snow sunny wind storm hot cold warm freezing: weather forecast
outside outdoors: weather current conditions
foot hike: walking directions
way drive: directions route
street corner: address geocode
car garage: parking
plug electric: charging ev
sushi pizza restaurant cafe coffee pub bar hotel food eat hungry shop: places nearby search
downtown centre neighbourhood around: places nearby
jam jammed congestion: traffic
trading worth share: stock price quote
earn earnings profit revenue loss: income statement financials
expert analyst opinion: recommendations analyst target
winner loser gainer: movers gainers top
buy purchase: order place
sell: order close position
owe unpaid overdue debt: receivables aged invoice
bill charge: invoice create
spend spending spent expensive: cost budget
refund: adjustment refund credit
money cash: balance payment
coupon voucher promo off: discount
plan upgrade downgrade: subscription update
hours worked: timesheet worklog
bug broken problem complaint: issue create
done finished fixed: transition complete update status
hand pass responsible: assign
pr: pull request merge
checks ci build: status pipeline
author blame: blame
unstage: reset
save: commit write create
dying dead stuck restarting: diagnose logs events
copies instances: scale replicas
previous earlier undo: rollback version history restore
shell terminal: exec command
machine computer box: vm virtual machine node
memory ram cpu: top usage metrics
point: record
port: firewall rule
duty tonight: oncall
down outage happened: incident
jump spike sudden: anomaly
login access: user permission role
intern employee staff: user
password secret credential: secret key vault
night nightly daily weekly hourly every: cron schedule trigger
padlock https secure encrypted: ssl certificate
wipe clear throw rid: delete remove
disappear vanish: expire
words content: text
grab capture picture: screenshot
push tap: click
enter type: fill input
box field: fill form
sluggish slow lag: performance speed
blind disabled: accessibility
internet online google: web search
scholar scientist paper study: scholar papers research
clip film movie: video
aloud loud: speech audio
recording spoken said: speech transcript
draw paint sketch: image generate
song tune melody: music compose
voiceover narrate: voice speech
flowchart: diagram
chapter section: pages read
swap substitute: replace
lock: protect
numbers figures cell: values rows
colour color: format formatting
let allow: access permission share
slept asleep tired: sleep
fit ready: training readiness fitness
far: distance
walk run jog exercise: steps activities
vocabulary memorise learn: notes deck cards
jot: note write
unsubscribe: suppression
newsletter mailing: broadcast campaign
font designer mockup: figma design
shrink crop resize: transform image
steal stealing leak sneaking: exfiltration detect
traffic: packets capture
lead prospect deal: crm contact object
apart: distance
globe earth: geodetic
think ponder: thinking
friday monday weekend: schedule date
junk spam: spam delete
attach attached: attachment
call phone ring dial: outbound call
cancel off: cancel delete
together gather: freebusy meeting event
postpone shift later: reschedule update
answer respond: reply thread
everyone everybody staff: users members
coat jacket clothes: weather forecast
long duration: distance duration directions
halfway middle: meeting point
kindergarten preschool child: schools
visit stops tour: waypoints optimize
broker portfolio own: positions portfolio
pay paying payout: dividends payment subscription
traded exchange session: market calendar clock
bitcoin ethereum coin: crypto
supplier vendor: contact
books bookkeeping accounting: account invoice
wrong amount: update credit adjustment
sick ill: leave
planned backlog: sprint cycle iteration
approve accept main: merge
clash collide: conflicts
function symbol class: code search
lately past: log history commits recent
wiki handbook onboard: confluence page
program app: application pod
chart package: helm install
reach laptop tunnel: port forward
full disk space: storage usage
bigger resize: resize scale
wake urgent emergency: oncall incident escalation
file object blob: bucket object
pay cheaper save reduce: cost optimization recommendations
visitor hits audience: analytics traffic
spin provision: create start
phonebook phone: contact
poll survey quiz questionnaire: form
slides deck talk: presentation slides
logo illustration: image picture
made properties size: info metadata
previous back: navigate back
ask sent fetched: requests network
link sitemap: map links crawl
watch changes notify: monitor alert
noise hiss podcast: audio isolate
robot bot: agent
thunder explosion effect: sound effects
stressed nervous: stress
interval tempo marathon: running workout
opened clicked read: metrics stats clicked
devices hosts: endpoints conversations
docs manual guide reference: documentation docs
oclock clock hour: time timezone convert
"""


def _table() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in _SAID.strip().splitlines():
        said, _, called = line.partition(": ")
        for word in said.split():
            found.setdefault(stem(word), {}).update(dict.fromkeys(map(stem, called.split())))
    return {word: tuple(other for other in others if other != word) for word, others in found.items()}


_TABLE = _table()


def meant(word: str) -> tuple[str, ...]:
    """The stems that tools have for this one."""
    return _TABLE.get(word, ())
