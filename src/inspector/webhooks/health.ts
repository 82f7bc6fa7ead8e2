/** An open delivery, with its attempts, oldest first. */
interface Open {
  attempts: readonly { at: string; status_code: number | null }[]
}

/** What an endpoint answered last to deliveries that are still open: each attempt of these failed. */
export function problemOf(open: readonly Open[]): string | undefined {
  const last = open
    .flatMap(({ attempts }) => attempts.at(-1) ?? [])
    .reduce<Open['attempts'][number] | undefined>((a, b) => (a && a.at >= b.at ? a : b), undefined)
  return last && (last.status_code === null ? 'no answer' : `HTTP ${last.status_code}`)
}
