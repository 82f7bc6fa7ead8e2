import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { HandlerFunction } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import type { Flow } from '../../src/handlers/explore/flow.ts'
import { delivered, MESSAGES } from '../../src/handlers/explore/flows/steps.ts'
import { remediesOf } from '../../src/handlers/explore/remedies.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import { storyOf } from '../../src/handlers/explore/story.ts'
import type { Schedule } from '../../src/scenarios/deliveries.ts'
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

test('the remedy of a disturbance comes before what two people may share', () => {
  const schedule: Schedule = { events: [0], perturbations: [{ kind: 'timeout', event: 0 }], twice: true }
  expect(remediesOf({ schedule, findings: [], deliveries: [] }, schedule)).toEqual([
    expect.stringMatching(/^Make the check and the write one step/),
    expect.stringMatching(/^If that does not fix it, look for something that the two people share/),
  ])
  const story = storyOf({ name: 'tap', summary: 'A user taps' }, { schedule, deliveries: [], findings: [] }, [])
  expect(story).toContain('For one person it may fail less often.')
})

test('a crowd that gets no answers while calls fail has met what they do not give back', () => {
  const event = 0
  const findings = [{ code: 'never-accepted', where: 'conversation.started', message: 'No answer', remedy: 'Own' }]
  const schedule: Schedule = { events: [event], perturbations: [{ kind: 'failed-call', event, answer: '503' }] }
  const remedies = (of: Schedule) => remediesOf({ schedule: of, findings, deliveries: [] }, of)
  expect(remedies({ ...schedule, crowd: true })).toEqual([expect.stringMatching(/^Before a call, give back/), 'Own'])
  expect(remedies(schedule)[0]).toMatch(/^Store the call in the database/)
})

/** Takes the end of a session for a repetition of that of another person, unless it is right. */
function counter(isRight = false) {
  const seen = new Set<string>()
  const times: Record<string, string> = {}
  const sessions: Record<string, string | null> = {}
  const handler: HandlerFunction = ({ body }) => {
    const { id, event, timestamp, data } = JSON.parse(body)
    const key = event === 'conversation.ended' && !isRight ? `${data.agent_id} ${data.reason}` : id
    if (seen.has(key)) return 200
    seen.add(key)
    if (!event.startsWith('conversation.')) return 200
    const phone = data.from ?? data.with
    if (timestamp < (times[phone] ?? '')) return 200
    times[phone] = timestamp
    sessions[phone] = event === 'conversation.started' ? data.session_expires_at : null
    return 200
  }
  return { handler, truth: () => ({ sessions }) }
}

test('what fails only after another person fails again from its file, in an application that knows nobody', async () => {
  const options = { flows: ['stopped-session'], disturbances: ['delay'], settleMs: 20 } as const
  const { failure } = await explore({ ...counter(), ...options, seed: 't' })
  expect(failure?.findings).toMatchObject([{ code: 'belief-differs', where: 'sessions' }])
  const flows = [flowOf(failure!.scenario, 'saved.yaml')]
  const again = await explore({ ...counter(), ...options, flows })
  expect(again.failure?.findings).toMatchObject([{ code: 'belief-differs', where: 'sessions' }])
  const fixed = await explore({ ...counter(true), ...options, flows })
  expect([fixed.failure, fixed.coverage.summary]).toEqual([null, 'the saved schedule'])
})

/** Reads the number of replies, and writes it back a moment later. */
function tally() {
  const replies: Record<string, number> = {}
  const seen = new Set<string>()
  const handler: HandlerFunction = async ({ body }) => {
    const { id, event, data } = JSON.parse(body)
    if (event !== 'conversation.started' || seen.has(id)) return 200
    seen.add(id)
    const before = replies[data.from] ?? 0
    await setImmediate()
    replies[data.from] = before + 1
    return 200
  }
  return { handler, truth: () => ({ replies }) }
}

test('two events of the same name at the same time are tried early, also after others at the same time', async () => {
  const flows = ['stopped-session', 'no-stop', 'conversation', 'open-conversation']
  const { failure } = await explore({ ...tally(), flows, disturbances: ['together'], settleMs: 20, schedules: 20 })
  expect(failure?.schedule.perturbations).toEqual([{ kind: 'together', event: 5 }])
})

/** Takes a tap for the one that was kept of another person, unless it is right. Its database survives restarts. */
function counterOfTaps(isRight = false) {
  const postbacks: Record<string, string[]> = {}
  const seen = new Set<string>()
  let kept: string | null = null
  const handler: HandlerFunction = ({ body }) => {
    const { id, event, data } = JSON.parse(body)
    if (event !== 'conversation.started' || seen.has(id)) return 200
    seen.add(id)
    const { postback_data } = data.user_message
    kept = isRight ? postback_data : (postback_data ?? kept)
    if (kept !== null) postbacks[data.from] = [...(postbacks[data.from] ?? []), Buffer.from(kept, 'base64').toString()]
    return 200
  }
  const restart = () => {
    kept = null
  }
  return { handler, truth: () => ({ postbacks }), kill() {}, restart }
}

test('what is kept in memory of other people is found in a later flow, repeated and saved', async () => {
  const options = { flows: ['tap', 'conversation'], disturbances: ['duplicate'], settleMs: 20 } as const
  const { failure } = await explore({ ...counterOfTaps(), ...options, seed: 'k' })
  expect(failure?.schedule).toMatchObject({ flow: 'tap', perturbations: [], earlier: true })
  expect(failure?.story).toContain('It fails only after other flows, in the same process')
  expect(failure?.remedies[0]).toMatch(/^Look for what outlives the work on an event/)
  expect((await explore({ ...counterOfTaps(), ...options, seed: failure!.seed })).failure).not.toBeNull()
  const flows = [flowOf(failure!.scenario, 'saved.yaml')]
  expect((await explore({ ...counterOfTaps(), ...options, flows })).failure?.schedule.earlier).toBe(true)
  expect((await explore({ ...counterOfTaps(true), ...options, flows })).failure?.story).toBeUndefined()
})

test('of many races that fail together, those that fail rarely are tried again after everything else', async () => {
  const [RARE, COUNT] = [9, 12]
  const replies: Record<string, number> = {}
  const seen = new Set<string>()
  const overlaps = new Map<string, number>()
  let working = ''
  /** Counts a repetition that overlaps: the first one of each text but one, and those that the first tries do not reach. */
  const handler: HandlerFunction = async ({ body }) => {
    const { id, data } = JSON.parse(body)
    const { text } = data.user_message
    if (seen.has(id) && working === id) {
      const overlap = (overlaps.get(text) ?? 0) + 1
      overlaps.set(text, overlap)
      if (text !== '0' && (overlap === 1 || overlap >= RARE)) replies[data.from]!++
    }
    if (seen.has(id)) return 200
    seen.add(id)
    working = id
    replies[data.from] = (replies[data.from] ?? 0) + 1
    await setImmediate()
    return 200
  }
  const flows = Array.from(
    { length: COUNT },
    (_, i): Flow => ({
      name: `reply-${i}`,
      summary: 'A user answers',
      async run(stage) {
        const message_id = await delivered(stage, await stage.person(MESSAGES))
        await stage.trigger('conversation.started', { message_id, text: String(i) })
      },
    }),
  )
  const { failure, unrepeated } = await explore({
    ...{ handler, truth: () => ({ replies }), flows, events: ['conversation.started'], settleMs: 20 },
    // Each flow without and with a disturbance, and the first one with all of its events disturbed.
    ...{ disturbances: ['timeout'], schedules: 2 * COUNT + 1 },
  })
  expect(failure?.schedule).toMatchObject({ perturbations: [{ kind: 'timeout' }] })
  expect(unrepeated).toHaveLength(COUNT - 2)
})
