/** The error of a connection that ended before its answer did. */
export const brokenOff = () =>
  Object.assign(new Error('the connection closed before the answer was complete'), { code: 'ECONNRESET' })
