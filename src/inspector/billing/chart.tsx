import { withCommas } from '../../words/number-text.ts'
import type { Answer } from '../api/client.ts'
import { euros, momentOf } from '../ui/text.ts'

const WIDTH = 720
const HEIGHT = 120
const EDGE = 4

/** The free balance from movement to movement, which the server has gathered; each point spans its lowest and highest value. */
export function Chart({ of: { points, total } }: { of: Answer<'billing', 'history'> }) {
  if (total < 2) return null
  const [first, last] = [points[0]!, points.at(-1)!]
  const low = Math.min(...points.map(({ lowest }) => lowest))
  const high = Math.max(...points.map(({ highest }) => highest))
  const x = (i: number) => EDGE + (i / Math.max(1, points.length - 1)) * (WIDTH - 2 * EDGE)
  const y = (amount: number) => HEIGHT - EDGE - ((amount - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE)
  const line = points.map(({ free }, i) => `${i === 0 ? 'M' : 'L'}${x(i)},${y(free)}`).join('')
  const range = [
    ...points.map(({ highest }, i) => `${x(i)},${y(highest)}`),
    ...points.map(({ lowest }, i) => `${x(i)},${y(lowest)}`).reverse(),
  ].join(' ')
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" preserveAspectRatio="none">
        <title>{`Free balance over ${withCommas(total)} movements, from ${euros(first.free)} to ${euros(last.free)}`}</title>
        <path class="area" d={`${line}V${HEIGHT}H${EDGE}Z`} />
        <polygon class="range" points={range} />
        <path class="line" d={line} vector-effect="non-scaling-stroke" />
      </svg>
      <figcaption>
        <span>
          Movement {withCommas(first.movements)}, {momentOf(first.at)} · {euros(first.free)}
        </span>
        <span>
          between {euros(low)} and {euros(high)}
        </span>
        <span>
          Movement {withCommas(total)}, {momentOf(last.at)} · {euros(last.free)}
        </span>
      </figcaption>
    </figure>
  )
}
