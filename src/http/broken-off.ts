/** The error of a connection that ended before its answer did. */
export const brokenOff = () =>
  Object.assign(new Error('the connection ended before the answer did'), { code: 'ECONNRESET' })
