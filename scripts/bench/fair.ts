import type { Application } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { builtInFlows } from '../../src/handlers/explore/flows/index.ts'
import { kindNames } from '../../src/scenarios/deliveries.ts'

type Variant = Application & { stop?: () => void }

const { variants }: { variants: Record<string, () => Variant> } = await import(
  new URL('../../fixtures/handlers/variants.mjs', import.meta.url).href
)

const SCHEDULES = 40
/** In each run other flows and other disturbances, so that all meet in the end. */
const FLOWS = 4
const KINDS = 3

interface Fairness {
  variant: string
  runs: number
  /** The stories of runs that blamed it. */
  blamed: string[]
}

/** Explores each correct variant in each of `runs` rounds, with a new seed each time. */
export async function exploreVariants(runs: number): Promise<Fairness[]> {
  const results = Object.keys(variants).map((variant): Fairness => ({ variant, runs: 0, blamed: [] }))
  const start = Math.floor(Date.now() / 1_000)
  for (let run = start; run < start + runs; run++) {
    const flows = Array.from({ length: FLOWS }, (_, i) => builtInFlows[(FLOWS * run + i) % builtInFlows.length]!)
    const disturbances = kindNames.filter((_, i) => i % KINDS === run % KINDS)
    for (const result of results) {
      const application = variants[result.variant]!()
      const { failure } = await explore({ ...application, flows, disturbances, schedules: SCHEDULES, idleSeconds: 0 })
      application.stop?.()
      result.runs++
      if (failure) result.blamed.push(`${result.variant}, seed ${failure.seed}: ${failure.story}`)
    }
  }
  return results
}
