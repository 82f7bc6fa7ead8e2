interface FileFault {
  field: string
  message: string
  line?: number | null
  column?: number | null
}

/** Where in a file a fault stands: `my-world.yaml:12:5`. */
export const placeOf = (file: string, { line, column }: FileFault): string =>
  typeof line === 'number' ? `${file}:${line}:${column}` : file

/** Enough to mend the file by, and not more than fits on a screen or two. */
const MAX_LINES = 50

/** What is wrong in a file, a line for each fault. */
export const faultLines = (file: string, faults: readonly FileFault[]): string[] => [
  ...faults
    .slice(0, MAX_LINES)
    .map((fault) => [placeOf(file, fault), fault.field, fault.message].filter(Boolean).join(': ')),
  ...(faults.length > MAX_LINES ? [`… and ${faults.length - MAX_LINES} more`] : []),
]
