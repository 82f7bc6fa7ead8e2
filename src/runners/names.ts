import { DEFAULT_NAMESPACE } from '../words/api-key.ts'
import { isFileName } from '../words/file-name.ts'

/** The name, or the first `<name>-2`, `<name>-3` … that is not taken. */
export function freshName(name: string, usedNames: ReadonlySet<string>): string {
  // No test gets the namespace `default`, which cannot be deleted, nor one that no file may be called, such as `con`.
  const isFree = (it: string) => it !== DEFAULT_NAMESPACE && isFileName(it) && !usedNames.has(it)
  if (isFree(name)) return name
  for (let n = 2; ; n++) if (isFree(`${name}-${n}`)) return `${name}-${n}`
}
