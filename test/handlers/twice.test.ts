import { expect, test } from 'vitest'
import type { HandlerFunction } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import { isStop } from '../../src/words/stop.ts'

/** An application that takes a STOP for that of its newest contact, unless it is right. Its database survives restarts. */
function desk(isRight = false) {
  const suppressed: Record<string, boolean> = {}
  let newest = ''
  const handler: HandlerFunction = ({ body }) => {
    const { event, data } = JSON.parse(body)
    if (event === 'contact.created') newest = data.phone
    if (event === 'conversation.started' && isStop(data.user_message.text))
      suppressed[isRight ? data.from : newest] = true
    return 200
  }
  return { handler, truth: () => ({ suppressed }), restart: () => {} }
}

const options = { flows: ['opt-out'], disturbances: ['restart'], settleMs: 20 } as const

test('what fails only when the same happens to two people at once is found, made smaller and repeated', async () => {
  const { failure, unrepeated } = await explore({ ...desk(), ...options, seed: 't' })
  // Restarts in a batch interleave the people of several plays; the smallest schedule needs none.
  expect(failure?.schedule).toMatchObject({ perturbations: [], twice: true })
  expect(failure?.story).toContain('It fails only when the same happens to two people at once')
  expect(failure?.remedies[0]).toContain('Pass the person and the event along with the work')
  expect(failure?.repeated).toEqual({ failed: 3, of: 3 })
  expect(unrepeated).toEqual([])
  const flows = [flowOf(failure!.scenario, 'saved.yaml')]
  const [repeated, again, fixed] = await Promise.all([
    explore({ ...desk(), ...options, seed: failure!.seed }),
    explore({ ...desk(), ...options, flows }),
    explore({ ...desk(true), ...options, flows }),
  ])
  expect(repeated.failure?.story).toBe(failure?.story)
  expect(again.failure?.story).toContain('phone 2')
  expect(fixed.failure?.story).toBeUndefined()
})
