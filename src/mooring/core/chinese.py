"""What a request in Chinese says, in the English words that most tools are described with."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["in_english"]

# The English words, and what may stand for them.
_WORDS = """
weather forecast: 天气 下雨 下雪 刮风 气温 温度 预报 冷不冷 热不热
alert warning: 警报 预警 告警 警告
ticket: 票 余票 车票 机票
train: 火车 高铁 动车 列车 车次
station: 车站 火车站 站点
flight: 航班 飞机
route direction: 路线 导航 怎么走 怎么去 怎么到
bicycling bike: 骑车 骑自行车 自行车 单车
walking: 步行 走路
driving car: 开车 驾车 自驾
transit bus: 公交 地铁 公共交通
traffic road: 路况 堵车 拥堵 交通
nearby around places: 附近 周边 周围
places search: 餐厅 饭店 好吃 酒店 商店 景点 医院 学校
parking: 停车
charging: 充电
address: 地址 街道
coordinates geocode: 坐标 经纬度 经度 纬度
location: 位置 地点 定位 在哪里 在哪儿
map: 地图
distance: 距离 多远
reverse geocode: 坐标在哪里 这个坐标
email mail: 邮件 邮箱 电子邮件
inbox: 收件箱
send: 发送 发 寄
reply: 回复
forward: 转发
draft: 草稿
message: 消息 短信 留言
channel chat: 群 频道 群聊 聊天
contact: 联系人 通讯录
calendar event: 日历 日程 会议 开会 约会
schedule create event: 安排
free busy: 有空 空闲 忙不忙
reminder task: 提醒 待办
task: 任务 事项
complete: 完成 做完
note: 笔记 记下 记录
stock price quote: 股票 股价 多少钱一股
price: 价格 多少钱 报价
market: 行情 大盘
buy order: 买入 购买 买 下单
sell order: 卖出 卖
financial statement: 财报 财务 利润 营收
news: 新闻 资讯
cost: 费用 花了多少钱 花费 成本 开销
bill billing: 账单 计费
invoice: 发票 开票
create invoice: 开发票
customer: 客户 顾客
payment: 付款 支付 收款
refund: 退款
subscription: 订阅
discount: 折扣 优惠
order: 订单
account: 账户 账号 帐号
balance: 余额
issue bug: 缺陷 问题单 工单 漏洞 问题
create: 创建 新建 建 添加 增加 新增 提交 提一个
delete remove: 删除 删掉 移除 清除 去掉
update edit: 修改 更新 编辑 改成
list: 列出 有哪些 所有 全部 列表
get: 查看 查一下 查询 获取 看看 看一下
search: 搜索 搜 查找 找 检索 搜一下
merge: 合并
pull request: 合并请求 拉取请求 请求
change request: 合并请求 评审
branch: 分支
commit: 提交记录 提交历史 提交代码
repository: 仓库 代码库
code: 代码
diff compare: 差异 对比 比较
review: 评审 审查 审核
comment: 评论 备注
assign: 指派 分配 负责人
project: 项目
sprint: 迭代 冲刺
release version: 版本 发布
pipeline: 流水线 构建
deploy: 部署 上线
rollback: 回滚 回退
restart reboot: 重启
start: 启动 开机
stop shutdown: 停止 关闭 关机
virtual machine vm: 虚拟机 云主机
server: 服务器 主机
container pod: 容器
cluster: 集群
logs: 日志
monitor metrics: 监控 指标
incident: 故障 事故
oncall: 值班
scale: 扩容 缩容
snapshot: 快照
backup: 备份
restore: 恢复 还原
firewall: 防火墙
domain: 域名
certificate ssl: 证书
cloud aws: 云服务 云
storage: 存储
bucket: 桶 存储桶
database: 数据库
table: 表 表格 有哪些表
query: 语句
sql: 结构化查询
record: 条目 数据
key: 键
cache: 缓存
user: 用户 成员
permission: 权限 授权
password: 密码
role: 角色
file: 文件
folder directory: 文件夹 目录
read: 读取 读 打开
write: 写 写入
upload: 上传
download: 下载
share: 分享 共享
document: 文档
convert: 转换 转成 翻译成 变成
translate: 翻译
pdf: PDF
spreadsheet sheet: 电子表格 工作表
presentation slides: 幻灯片 演示
chart diagram: 图表 流程图 图
image: 图片 图像 照片 画 配图
generate image: 画一张 画一个 生成图片 画张
text to speech audio: 读出来 念出来 朗读 配音 语音
speech to text transcribe: 转文字 听写 录音
voice: 声音
music: 音乐 歌 歌曲
video: 视频 影片
transcript subtitle: 字幕
page web: 网页 页面 网站
web search: 网上 上网
screenshot: 截图 截屏
click: 点击 按钮
fill form: 填写 表单 填
scrape: 抓取 爬取 采集
link url: 链接 网址
browser: 浏览器
time: 时间 几点
timezone: 时区
sleep: 睡眠 睡 睡得
steps: 步数
heart rate: 心率
workout activity: 运动 锻炼 训练 跑步
flashcard: 卡片 单词卡
product: 商品 产品
inventory: 库存
form: 问卷
meeting: 例会
summary: 总结 摘要 概要
statistics: 统计 报表
test: 测试
error: 错误 报错 异常
performance: 性能 速度
network: 网络
packet: 抓包 数据包
run execute: 运行 执行
job: 作业
cron schedule: 定时
export: 导出
import: 导入
copy: 复制 拷贝
move: 移动
rename: 重命名 改名
latest: 最新 最近
tag label: 标签
attachment: 附件
cancel delete: 取消 撤销
distance duration: 多久 要多久 多长时间
nearest nearby places: 最近的
route driving directions: 开车要
hotel book: 预订 预定
drive file: 云盘 网盘
upload create: 存到 保存到
save: 保存 存
history historical: 历史
trend price history: 走势 趋势
fund: 基金
currency exchange rate: 汇率
bond: 债券
crypto: 比特币 加密货币
blame author: 谁改了 作者
failed error log: 失败 为什么失败
success: 成功
scale replicas: 副本数 副本 实例数
register purchase: 申请 注册
note idea: 想法 灵感 记一下
current time: 现在几点 当前时间
timezone convert: 时差
generate create: 生成 制作 做一个
text content: 文字内容 文本 内容
words: 文字
background: 背景
approve: 批准 同意 通过
reject: 拒绝
open: 打开
close: 关掉 关上
enable: 启用 开启
disable: 禁用 停用
install: 安装
uninstall: 卸载
update upgrade: 升级
check validate: 检查 校验 验证
calculate: 计算 算一下
analyze: 分析
crop resize transform: 裁剪 缩小 放大
merge combine: 拼接 合到一起
split: 拆分 分割
filter: 筛选 过滤
sort: 排序
count: 数量 多少个 几个
replace: 替换 换成
insert: 插入
print: 打印
sign login: 登录 登陆
logout: 退出
notification: 通知
subscribe: 关注
follow: 跟踪
team group: 团队 小组
department organization: 部门 组织
employee: 员工 同事
salary payroll: 工资 薪水
leave: 请假 休假
timesheet worklog: 工时
budget: 预算
tax: 税
contract: 合同
address delivery: 收货
shipping: 快递 物流
website hosting: 建站 主机空间
dns: 解析
email campaign: 群发 营销
template: 模板
environment variable: 环境变量
config settings: 配置 设置
secret: 密钥 机密
token: 令牌
queue: 队列
function: 函数
api: 接口
schema: 结构
index: 索引
vector: 向量
memory: 内存
disk: 磁盘 硬盘
cpu: 处理器
port: 端口
book: 书
chapter pages: 章节
paper research: 论文
definition: 定义
knowledge: 知识库
agent: 智能体
model: 模型
prompt: 提示词
"""
_RUN = re.compile("[\u3400-\u9fff]+")


def _table() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _WORDS.strip().splitlines():
        english, _, chinese = line.partition(": ")
        for word in chinese.split():
            found[word] = (*found.get(word, ()), *english.split())
    return found


_TABLE = _table()
_LONGEST = max(map(len, _TABLE))


def in_english(text: str) -> Iterator[str]:
    """The words of it that are known, the longest first where one holds another; nothing for the rest."""
    for run in _RUN.findall(text):
        place = 0
        while place < len(run):
            for size in range(min(_LONGEST, len(run) - place), 0, -1):
                known = _TABLE.get(run[place : place + size])
                if known:
                    yield from known
                    place += size
                    break
            else:
                place += 1
