import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { saveEvidence } from '../evidence/save.ts'
import type { Sandbox } from '../library/sandbox.ts'
import { slug } from './names.ts'

/** A test, as its runner knows it. */
export interface Test {
  /** Its name with those of the groups that it is in. */
  title: string
  /** Path of its file, where that is known. */
  file?: string | undefined
}

/** The default folder for evidence of failures. */
export const FAILURES = 'sandbox-failures'

/** The longest part of a title in a file name. */
const MAX_CHARACTERS = 120

/**
 * Keeps what happened in the sandbox of a test that failed: a page to read and the world to go on from, which only their user may
 * read. Answers what is said of them; a test that failed must not fail for another reason, so this never throws.
 */
export async function keepFailure(
  { observer }: Sandbox,
  folder: string,
  { title, file }: Test,
  failure: string | undefined,
): Promise<string> {
  const place = file && slug(basename(file).replace(/(\.(test|spec))?\.[cm]?[jt]sx?$/, ''))
  const name = [place, slug(title, MAX_CHARACTERS)].filter(Boolean).join('-')
  // Runners colour what they say of a failure.
  const error = failure === undefined ? undefined : stripVTControlCharacters(failure)
  try {
    const { html, snapshot } = await saveEvidence(observer, { folder, name, title, error })
    return `What happened in its sandbox: ${html}\nGo on from there:             npx sandbox start --memory --snapshot ${snapshot}`
  } catch (error) {
    return `What happened in its sandbox could not be kept: ${(error as Error).message}`
  }
}

/** Adds a remark to an error, where its readers find it: some runners show the message, others the stack. */
export function remark(error: unknown, said: string) {
  const { message, stack } = (error ?? {}) as Partial<Error>
  if (typeof message !== 'string') return void process.stderr.write(`${said}\n`)
  const longer = `${message}\n\n${said}`
  const known = error as Error
  if (stack?.includes(message)) known.stack = stack.replace(message, () => longer)
  known.message = longer
}
