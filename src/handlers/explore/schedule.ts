import {
  type FailedCall,
  type Form,
  forms,
  type KillInstant,
  type Perturbation,
  type PerturbationKind,
  type Schedule,
} from '../../scenarios/deliveries.ts'

/** A form of a delivery itself. */
type DeliveryForm = Exclude<Form, (typeof forms.restart | (typeof forms)['failed-call'])[number]>

/** How an event is delivered, in the words of the story. */
export const deliveryWords = {
  plain: '',
  again: 'once more',
  late: 'late, after the events that followed it',
  lost: 'and its answer is lost',
  'behind 503': 'late, because the first attempt met a 503 before it reached the handler',
  overlapping: 'twice at once, because the first attempt ran into the time limit',
  together: 'at the same time as the next one',
  unusual: 'in unusual JSON, correctly signed',
  headers: 'with header names in lower case, and charset=utf-8 in the Content-Type',
  closed: 'whose connection is closed in the middle of the body',
  stalled: 'while another connection has sent half of it and stays open',
  pieces: 'in two pieces, as a network may split it',
  unknown: 'replaced by an event whose name does not exist yet',
  'unknown family': 'replaced by an event whose name and family do not exist yet',
  'new value': 'with fields and values that do not exist yet',
  forged: 'forged: another id under the same signature',
  altered: 'forged: other content under the same id and signature',
  unsigned: 'forged: another id, without a signature',
  empty: 'forged: another id, with an empty signature',
  truncated: 'forged: another id, with the first half of the right signature',
  'other-id': 'forged: the signed body once more, with another id in X-Service-Event-Id',
  'old secret': 'forged: signed with the old secret',
  replayed: '40 days late, because all attempts failed in an outage',
} as const satisfies Record<DeliveryForm, string> & Record<string, string>

/** How the application is stopped before it is started again. */
type Restart = 'killed' | (typeof forms.restart)[number]

/** A planned delivery. */
export interface PlannedDelivery {
  event: number
  attempt: number
  how: keyof typeof deliveryWords
  /** Retries a delivery that was not accepted. */
  isRetry?: boolean
  restartsAfter?: Restart | undefined
  killsAt?: KillInstant
  /** The answer to the first call that it causes. */
  failsCall?: FailedCall
  /** The next event arrives before the call that failed is made again. */
  isOvertaken?: boolean
  rotatesBefore?: boolean
  /** The pause before a late repetition. */
  after?: Pause
}

/** A delivery with its outcome. */
export interface MadeDelivery extends PlannedDelivery {
  name: string
  body: string
  status: number | null
  /** What a handler function has thrown. */
  thrown?: string | undefined
  /** Not all people's events were answered while calls of the application had no answers. */
  isBlocked?: boolean | undefined
  /** Further attempts with the same answer. */
  repeats: number
  /** Calls of the application that the service has refused, such as `POST /v1/messages → 422 missing_consent`. */
  refusedCalls: string[]
}

interface Placed extends PlannedDelivery {
  place: number
}

export interface Pause {
  /** Number of events of others. */
  others: number
  /** Machine time. */
  seconds: number
}

/** Deliveries after a pause. */
export interface Segment extends Pause {
  deliveries: PlannedDelivery[]
}

/** The deliveries of a schedule in order, with pauses for other events and for machine time. */
export function segmentsOf({ events, perturbations }: Schedule): Segment[] {
  const isMissed = (event: number) => perturbations.some((one) => one.event === event && one.kind === 'outage')
  const placed = events
    .map((event, place): Placed => ({ event, place, attempt: 1, how: 'plain' }))
    .filter(({ event }) => !isMissed(event) && !isWithheld(perturbations, event))
  const isLate = ({ event }: Perturbation) => perturbations.some((one) => one.event === event && isRepeatedLate(one))
  for (const perturbation of perturbations) {
    if (perturbation.kind === 'restart' && isLate(perturbation)) continue
    const of = placed.find(({ event, how }) => event === perturbation.event && !INSERTED.has(how))
    if (of) place[perturbation.kind]?.(of, placed, perturbation)
  }
  const main = placed.toSorted((a, b) => a.place - b.place).map(({ place: _, ...planned }) => planned)
  return [
    { others: 0, seconds: 0, deliveries: restartedBeforeLate(joined(main)) },
    ...repeatedAfter(perturbations, 'history', (most) => ({ others: most, seconds: 0 })),
    ...repeatedAfter(perturbations, 'idle', (most) => ({ others: 0, seconds: most })),
    ...replayed(events.filter(isMissed), perturbations),
  ]
}

/** What was missed in an outage arrives when later events have arrived. */
function replayed(events: readonly number[], perturbations: readonly Perturbation[]): Segment[] {
  const isRepeated = (event: number) => perturbations.some((one) => one.event === event && one.kind === 'duplicate')
  const of = (how: 'replayed' | 'again') => (event: number) => ({ event, attempt: 1, how })
  const deliveries = [...events.map(of('replayed')), ...events.filter(isRepeated).map(of('again'))]
  return events.length === 0 ? [] : [{ others: 1, seconds: 0, deliveries }]
}

/** Disturbances with something that the application does not know, in the order in which they are played. */
export const STRANGE: ReadonlySet<PerturbationKind> = new Set(['unknown', 'new-value'])
export const strangenessOf = ({ perturbations }: Schedule): PerturbationKind | undefined =>
  [...STRANGE].find((kind) => perturbations.some((one) => one.kind === kind))

/** Forgeries that come after the genuine event. */
const LATE_FORGERIES: ReadonlySet<string> = new Set(['forged', ...forms.forgery])
/** Deliveries of somebody other than the service. */
export const FORGED: ReadonlySet<string> = new Set([...LATE_FORGERIES, 'altered', 'old secret'])

/** Deliveries of what never happened. */
export const INVENTED: ReadonlySet<string> = new Set([...FORGED, 'unknown', 'unknown family'])
const isRepeatedLate = ({ kind }: Perturbation) => kind === 'history' || kind === 'idle'

/** With a delay it is not repeated late: it arrives for the first time then. */
const isWithheld = (perturbations: readonly Perturbation[], event: number) =>
  ['history', 'delay'].every((kind) => perturbations.some((one) => one.event === event && one.kind === kind))

const INSERTED: ReadonlySet<string> = new Set(['again', ...INVENTED])

function repeatedAfter(
  perturbations: readonly Perturbation[],
  kind: 'history' | 'idle',
  pauseOf: (most: number) => Pause,
): Segment[] {
  const late = perturbations.filter((perturbation) => perturbation.kind === kind)
  if (late.length === 0) return []
  const most = Math.max(...late.map(({ others, seconds }) => others ?? seconds ?? 0))
  const isRestarted = (event: number) => perturbations.some((one) => one.event === event && one.kind === 'restart')
  const pause = pauseOf(most)
  const deliveries = late
    .map(
      ({ event }): PlannedDelivery => ({
        ...{ event, attempt: 1, how: isWithheld(perturbations, event) ? 'late' : 'again' },
        // A restart of an event comes after its last delivery.
        ...(isRestarted(event) && { restartsAfter: 'killed' }),
      }),
    )
    // A newer event that follows would repair what an older one has broken.
    .toSorted((a, b) => Number(a.how === 'late') - Number(b.how === 'late'))
  deliveries[0] = { ...deliveries[0]!, after: pause }
  return [{ ...pause, deliveries }]
}

/** What a late event must not replace has to survive, so a restart at a late event comes before it. */
function restartedBeforeLate(deliveries: readonly PlannedDelivery[]): PlannedDelivery[] {
  const stopOf = (planned: PlannedDelivery | undefined) => (planned?.how === 'late' ? planned.restartsAfter : undefined)
  return deliveries.map((planned, i) => ({
    ...planned,
    ...(stopOf(planned) && i > 0 && { restartsAfter: undefined }),
    ...(stopOf(deliveries[i + 1]) && { restartsAfter: stopOf(deliveries[i + 1]) }),
  }))
}

type Place = (of: Placed, placed: Placed[], { after }: Perturbation) => void

const middle = (after = 0) => after + 0.5

const place: Readonly<Partial<Record<PerturbationKind, Place>>> = {
  duplicate: (of, placed) => void placed.push({ event: of.event, place: of.place + 0.1, attempt: 1, how: 'again' }),
  replay: (of, placed, { after }) =>
    void placed.push({ event: of.event, place: of.place + middle(after), attempt: 1, how: 'again' }),
  delay: (of, _, { after }) => Object.assign(of, { place: of.place + middle(after), how: 'late' }),
  'lost-answer'(of, placed, { after }) {
    of.how = 'lost'
    placed.push({ event: of.event, place: of.place + middle(after), attempt: 2, how: 'again' })
  },
  unavailable: (of, _, { after }) =>
    Object.assign(of, { place: of.place + middle(after), attempt: 2, how: 'behind 503' }),
  timeout: (of) => Object.assign(of, { how: 'overlapping' }),
  together: (of) => Object.assign(of, { how: 'together' }),
  spelling: (of, _, { form = 'unusual' }) => Object.assign(of, { how: form }),
  connection(of, placed, { form }) {
    Object.assign(of, { how: form })
    if (form === 'closed') placed.push({ event: of.event, place: of.place + 0.1, attempt: 2, how: 'again' })
  },
  unknown({ event, place: at }, placed) {
    placed.push({ event, place: at - 0.06, attempt: 1, how: 'unknown family' })
    placed.push({ event, place: at - 0.05, attempt: 1, how: 'unknown' })
  },
  'new-value': (of) => Object.assign(of, { how: 'new value' }),
  // One is known by its id before the genuine event arrives, the other one uses what was seen.
  forgery({ event, place: at }, placed, { form }) {
    placed.push({ event, place: at - 0.05, attempt: 1, how: 'altered' })
    placed.push({ event, place: at + 0.05, attempt: 1, how: (form as DeliveryForm | undefined) ?? 'forged' })
  },
  // What a forgery has left behind may show after a start.
  restart: (of, placed, { form }) =>
    Object.assign(placed.find(({ event, how }) => event === of.event && LATE_FORGERIES.has(how)) ?? of, {
      restartsAfter: form ?? 'killed',
    }),
  kill: (of, _, { at = 'arrival' }) => Object.assign(of, { killsAt: at }),
  'failed-call': (of, _, { answer = '503', seconds, form }) =>
    Object.assign(of, { failsCall: { answer, seconds }, ...(form && { isOvertaken: true }) }),
  rotation(of, placed) {
    of.rotatesBefore = true
    placed.push({ event: of.event, place: of.place + 0.05, attempt: 1, how: 'old secret' })
  },
}

/** Places the undisturbed event that arrives together with another one next to it. */
function joined(deliveries: readonly PlannedDelivery[]): PlannedDelivery[] {
  const left = [...deliveries]
  return deliveries.flatMap((planned) => {
    if (!left.includes(planned)) return []
    left.splice(left.indexOf(planned), 1)
    if (planned.how !== 'together') return [planned]
    const partner = left.findIndex(
      ({ event, how, killsAt, restartsAfter }) =>
        event !== planned.event && how === 'plain' && !killsAt && !restartsAfter,
    )
    return partner < 0 ? [{ ...planned, how: 'plain' as const }] : [planned, ...left.splice(partner, 1)]
  })
}
