interface FileFault {
  field: string
  message: string
  line?: number | null
  column?: number | null
}

/** The place of a fault in a file: `my-world.yaml:12:5`. */
export const placeOf = (file: string, { line, column }: FileFault): string =>
  typeof line === 'number' ? `${file}:${line}:${column}` : file

/** About two screens of faults. */
const MAX_LINES = 50

/** One line for each fault of a file. */
export const faultLines = (file: string, faults: readonly FileFault[]): string[] => [
  ...faults
    .slice(0, MAX_LINES)
    .map((fault) => [placeOf(file, fault), fault.field, fault.message].filter(Boolean).join(': ')),
  ...(faults.length > MAX_LINES ? [`… and ${faults.length - MAX_LINES} more`] : []),
]
