/** No valid contact is larger. A quote that is not closed makes a row of the rest of a file. */
export const MAX_ROW_BYTES = 1_000_000

/** A contact to send, or why it cannot be sent. */
export interface ContactFileRow {
  /** A line of a CSV file, or an index in a JSON array. */
  place: { line: number } | { index: number }
  contact?: Record<string, unknown>
  fault?: { field: string; message: string }
  /** The part of the file read so far, 0 to 1; undefined if its size is unknown. */
  share: number | undefined
}
