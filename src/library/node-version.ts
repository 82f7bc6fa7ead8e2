/** With an older Node-API better-sqlite3 crashes without a message. */
const MIN_NAPI = 10

/** Refuses an unsuitable Node before it crashes. */
export function checkNode({ napi, node }: NodeJS.ProcessVersions = process.versions) {
  if (Number(napi) < MIN_NAPI) throw new Error(`messaging-sandbox needs Node 22.22 or newer; this is Node ${node}.`)
}
