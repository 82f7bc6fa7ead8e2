/** One contact of a file: what is to be sent, or why it cannot be. */
export interface Row {
  /** Where it stands: a line of a CSV file, or an index in a JSON array. */
  place: { line: number } | { index: number }
  contact?: Record<string, unknown>
  fault?: { field: string; message: string }
  /** How much of the file has been read after it, 0 to 1; undefined where its size is not known. */
  share: number | undefined
}
