import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { go, parsePlace, place } from '../api/place.ts'
import { later } from '../api/time.ts'

interface FieldProps {
  label: string
  class?: 'field' | 'field wide' | 'switch'
}

/** A labelled control of a form. */
export const Field = ({ label, class: name = 'field', children }: FieldProps & { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
  <label class={name}>
    <span>{label}</span>
    {children}
  </label>
)

interface TextFieldProps {
  label: string
  value: string
  /** Called with the text after each key. */
  set: (text: string) => void
  placeholder?: string
}

/** A wide field without the spaces around its text, for names and addresses. */
export const TrimmedField = ({ label, set, ...input }: TextFieldProps) => (
  <Field label={label} class="field wide">
    <input {...input} onInput={({ currentTarget }) => set(currentTarget.value.trim())} />
  </Field>
)

/** A value that can be chosen, with the title that is shown for it if it differs. */
type Option<T extends string = string> = T | readonly [value: T, title: string]

const Options = ({ of }: { of: readonly Option[] }) =>
  of.map((one) => {
    const [value, title] = typeof one === 'string' ? [one, one] : one
    return (
      <option key={value} value={value}>
        {title}
      </option>
    )
  })

/** A choice of one of several words. */
export const Select = <T extends string>({
  value,
  options,
  choose,
  label,
  ...described
}: {
  value: T | undefined
  options: readonly Option<T>[]
  choose: (chosen: T) => void
  /** Needed outside of a {@link Field}. */
  label?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}) => (
  <select
    value={value}
    aria-label={label}
    {...described}
    onChange={({ currentTarget }) => choose(currentTarget.value as T)}
  >
    <Options of={options} />
  </select>
)

/** One of a few words, all of them visible. */
export const Toggles = <T extends string>({
  label,
  value,
  options,
  choose,
}: {
  label: string
  value: T
  options: readonly T[]
  choose: (chosen: T) => void
}) => (
  <fieldset class="toggles" aria-label={label}>
    {options.map((one) => (
      <button key={one} type="button" class="button small" aria-pressed={value === one} onClick={() => choose(one)}>
        {one}
      </button>
    ))}
  </fieldset>
)

const TYPING_MS = 200

/** Searches while typing, with a delay, without the spaces around the text. */
export function Search({
  label = 'Search',
  placeholder,
  value,
  set,
}: Omit<TextFieldProps, 'label'> & { label?: string }) {
  const [text, setText] = useState(value)
  // A value that arrives late must not replace text that was typed since; a passive effect would see it even later.
  const sent = useRef(value)
  // Another filter may be set during the delay, and must not be lost.
  const latest = useRef(set)
  latest.current = set
  useLayoutEffect(() => {
    if (value === sent.current.trim()) return
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (text === sent.current) return
    return later(TYPING_MS, () => {
      sent.current = text
      latest.current(text.trim())
    })
  }, [text])
  return (
    <Field label={label} class="field wide">
      <input
        type="search"
        name="search"
        value={text}
        placeholder={placeholder}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Field>
  )
}

/** A filter of a list: a choice, an instant, or a text. */
export interface QueryFilter {
  name: string
  label: string
  options?: readonly Option[]
  /** The word for no choice. */
  none?: string
  isInstant?: boolean
  placeholder?: string
}

/** Sets a filter in the address. Back leads to the filters before, and what is typed into one field is one step. */
export function setFilter(name: string, value: string, isTyped: boolean) {
  // From the address itself, for another filter may have been set a moment ago.
  const { selected: _, ...query } = parsePlace(location.hash).query
  go({ query: { ...query, [name]: value } }, { replace: isTyped && !!query[name] && value !== '' })
}

/** Filters that are kept in the address, so that a list can be shared. */
export const QueryFilters = ({
  of,
  query = place.value.query,
  children,
}: {
  of: readonly QueryFilter[]
  query?: Readonly<Record<string, string>>
  children?: ComponentChildren
}) => (
  <div class="filters">
    {of.map(({ name, ...filter }) => (
      <FilterField
        key={name}
        {...filter}
        value={query[name] ?? ''}
        set={(value) => setFilter(name, value, !filter.options && !filter.isInstant)}
      />
    ))}
    {children}
  </div>
)

function FilterField({
  label,
  options,
  none = 'any',
  isInstant = false,
  placeholder,
  value,
  set,
}: Omit<QueryFilter, 'name'> & { value: string; set: (value: string) => void }) {
  if (isInstant)
    return (
      <Field label={label}>
        <input
          type="datetime-local"
          value={value.slice(0, 16)}
          onChange={({ currentTarget }) => set(currentTarget.value && `${currentTarget.value}:00.000Z`)}
        />
      </Field>
    )
  if (!options) return <Search label={label} value={value} placeholder={placeholder} set={set} />
  return (
    <Field label={label}>
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        <option value="">{none}</option>
        <Options of={options} />
      </select>
    </Field>
  )
}
