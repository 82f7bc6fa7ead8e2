import type { Application } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'

type Variant = Application & { stop?: () => void }

const { variants }: { variants: Record<string, () => Variant> } = await import(
  new URL('../../fixtures/handlers/variants.mjs', import.meta.url).href
)

const FLOWS = ['order-notification', 'opt-out', 'conversation', 'opened-and-clicked']
const SCHEDULES = 40

interface Fairness {
  variant: string
  runs: number
  /** The stories of runs that blamed it. */
  blamed: string[]
}

/** Explores each correct variant in each of `runs` rounds, with a new seed each time. */
export async function exploreVariants(runs: number): Promise<Fairness[]> {
  const results = Object.keys(variants).map((variant): Fairness => ({ variant, runs: 0, blamed: [] }))
  for (let run = 0; run < runs; run++)
    for (const result of results) {
      const application = variants[result.variant]!()
      const { failure } = await explore({ ...application, flows: FLOWS, schedules: SCHEDULES, idleSeconds: 0 })
      application.stop?.()
      result.runs++
      if (failure) result.blamed.push(`${result.variant}, seed ${failure.seed}: ${failure.story}`)
    }
  return results
}
