import { connect } from 'node:net'

const CONNECT_MS = 1_000

/** Returns whether a server accepts connections at this address. */
export const isListening = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket
      .setTimeout(CONNECT_MS, () => end(false))
      .once('connect', () => end(true))
      .once('error', () => end(false))
  })
