import { placeOf } from '../../../failure/file-errors.ts'
import type { Paint } from '../../../output/paint.ts'

export interface PlacedFault {
  line: number | null
  column: number | null
  field: string
  message: string
}

export interface FileVerdict {
  file: string
  valid: boolean
  /** The number of entries in each list of the file. */
  counts: Record<string, number>
  errors: PlacedFault[]
}

export function inWords({ file, counts, errors }: FileVerdict, paint: Paint): string {
  if (errors.length === 0) {
    const parts = Object.entries(counts).map(([key, count]) => `${key.replaceAll('_', ' ')} ${count}`)
    return `${paint.green('✓')} ${file}${parts.length > 0 ? paint.dim(`: ${parts.join(', ')}`) : ''}`
  }
  return errors
    .map((fault) => {
      const { field, message } = fault
      return `${paint.red('✗')} ${[placeOf(file, fault), field && paint.bold(field), message].filter(Boolean).join(': ')}`
    })
    .join('\n')
}
