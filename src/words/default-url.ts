/** The port of a sandbox that was started without one. */
export const DEFAULT_PORT = 7270
export const DEFAULT_BASE_URL = `http://localhost:${DEFAULT_PORT}`
