import { baseUrlOf } from '../../words/base-url.ts'
import { misconfigured, usage } from '../process/exit.ts'

/** The base URL in an address; `from` names the option or file that holds it. */
export function baseUrlFrom(from: string, text: string): string {
  const url = baseUrlOf(text)
  if (typeof url === 'string') return url
  const refuse = from.startsWith('--') ? usage : misconfigured
  throw refuse(`${from} ${url.fault}`, url.hint)
}
