import { useEffect } from 'preact/hooks'
import { connection } from '../api/live.ts'
import { isShared, namespace } from '../api/namespace.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { token } from '../api/token.ts'
import { Field, Select } from '../ui/fields.tsx'
import { isFrozen, worldYear } from '../ui/parts.tsx'
import { dayOf, signedSpan, timeOf } from '../ui/text.ts'
import { showDialog } from './shortcuts.ts'
import { nextTheme, theme } from './theme.ts'
import { isUnknown } from './unknown-namespace.tsx'

const CONNECTIONS = { connecting: 'Connecting', live: 'Live', lost: 'No answer' } as const

export function TopBar() {
  const problem = token.demand ? 'Control token required' : isUnknown() ? 'Unknown namespace' : undefined
  return (
    <header class="top">
      <NamespaceSwitch />
      {!problem && <WorldClock />}
      <span class={`connection ${problem ? '' : connection.value}`} role="status">
        {problem ?? CONNECTIONS[connection.value]}
      </span>
      <span class="space" />
      <button type="button" class="button quiet palette-button" onClick={() => showDialog('palette')}>
        Search or run <kbd>Ctrl K</kbd>
      </button>
      <TopButtons />
    </header>
  )
}

/** On a narrow screen they are in the menu. */
export const TopButtons = () => (
  <>
    <a
      class="button quiet"
      href={`/docs?namespace=${isShared.value ? '' : namespace.value}`}
      target="_blank"
      rel="noopener"
    >
      API
    </a>
    <button type="button" class="button quiet" onClick={nextTheme} title="Light, dark, or as the system">
      Theme: {theme.value}
    </button>
  </>
)

function NamespaceSwitch() {
  const { value } = useCall(['namespaces', 'list'], { when: () => false, everyMs: 5_000 })
  useEffect(() => {
    if (value) isShared.value = value.namespaces.some(({ tenant }) => tenant)
  }, [value])
  const shown = place.value.invalidNamespace ?? namespace.value
  const names = [...new Set([shown, ...(value?.namespaces.map(({ name }) => name) ?? [])])].sort()
  return (
    <Field label="Namespace" class="switch">
      <Select value={shown} options={names} choose={(chosen) => go({ namespace: chosen, page: place.value.page })} />
    </Field>
  )
}

function WorldClock() {
  const { value } = useCall(['clock', 'show'], { everyMs: 1_000 })
  useEffect(() => {
    if (!value) return
    worldYear.value = value.now.slice(0, 5)
    isFrozen.value = value.mode === 'frozen'
  }, [value])
  return (
    <a class="clock" href={hrefOf({ page: 'time' })} title="The world's clock">
      {value ? (
        <>
          <span class="mono">
            <span class="day">{dayOf(value.now)}</span> {timeOf(value.now).slice(0, 8)}
            <span class="zone"> UTC</span>
          </span>{' '}
          <span class="mode">{[value.mode, ...leadOf(value.ahead_ms)].join(' ')}</span>
        </>
      ) : (
        '…'
      )}
    </a>
  )
}

/** How far a real clock is ahead of the machine's; the milliseconds of its steps do not count. */
const leadOf = (ms = 0) => (Math.abs(ms) < 1_000 ? [] : [signedSpan(ms)])
