// Addresses within the page: `#/servers/NAME`, each part encoded.

export const link = (...parts) => `#/${parts.map(encodeURIComponent).join("/")}`;

export function here(hash = location.hash) {
  try {
    return hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return [""];
  }
}

export const go = (...parts) => void (location.hash = link(...parts));
