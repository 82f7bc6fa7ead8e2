/** An attempt to deliver an event. */
interface Attempt {
  at: string
  status_code: number | null
  fault: string | null
}

/** What an endpoint answered to an attempt; a fault may have kept the attempt from it, or changed it. */
export const resultOf = ({ status_code, fault }: Attempt): string =>
  [status_code === null ? 'no answer' : `HTTP ${status_code}`, ...(fault === null ? [] : ['fault'])].join(', ')

/** What an endpoint answered last to deliveries that are not delivered: each attempt of these failed. */
export function problemOf(deliveries: readonly { attempts: readonly Attempt[] }[]): string | undefined {
  const last = deliveries
    .flatMap(({ attempts }) => attempts.at(-1) ?? [])
    .reduce<Attempt | undefined>((a, b) => (a && a.at >= b.at ? a : b), undefined)
  return last && resultOf(last)
}
