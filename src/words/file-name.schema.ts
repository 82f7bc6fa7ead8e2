import { z } from 'zod'
import { brokenField } from './broken-fields.ts'
import { FILE_NAME_FAULT, isFileName, PATTERN } from './file-name.ts'

/** Apart from the check, which a start needs before any schema. */
export const FileName = z
  .string()
  .regex(PATTERN, { error: FILE_NAME_FAULT, abort: true })
  .refine(isFileName, FILE_NAME_FAULT)

/** Checks the name in a path before any file is touched, because it becomes part of another. */
export function requireFileName(name: string): string {
  if (isFileName(name)) return name
  throw brokenField('name', 'invalid_format', FILE_NAME_FAULT)
}
