interface FileError {
  field: string
  message: string
  line?: number | null
  column?: number | null
}

/** The place of an error in a file: `my-world.yaml:12:5`. */
export const placeOf = (file: string, { line, column }: FileError): string =>
  typeof line === 'number' ? `${file}:${line}:${column}` : file

/** About two screens of errors. */
const MAX_LINES = 50

/** One line for each error of a file. */
export const errorLines = (file: string, errors: readonly FileError[]): string[] => [
  ...errors
    .slice(0, MAX_LINES)
    .map((error) => [placeOf(file, error), error.field, error.message].filter(Boolean).join(': ')),
  ...(errors.length > MAX_LINES ? [`… and ${errors.length - MAX_LINES} more`] : []),
]
