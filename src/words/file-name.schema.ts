import { z } from 'zod'
import { FILE_NAME_FAULT, isFileName, PATTERN } from './file-name.ts'

/** Apart from the check, which a start needs before any schema. */
export const FileName = z
  .string()
  .regex(PATTERN, { error: FILE_NAME_FAULT, abort: true })
  .refine(isFileName, FILE_NAME_FAULT)
