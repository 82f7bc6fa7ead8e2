import type { ComponentChildren } from 'preact'

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
  wide?: boolean
  value: string | number
  /** Called with the text after each key. */
  set: (text: string) => void
  placeholder?: string
  inputMode?: 'numeric'
}

export const TextField = ({ label, wide = false, set, ...input }: TextFieldProps) => (
  <Field label={label} class={wide ? 'field wide' : 'field'}>
    <input {...input} onInput={({ currentTarget }) => set(currentTarget.value)} />
  </Field>
)

/** A wide field without the spaces around its text, for names and addresses. */
export const TrimmedField = ({ set, ...field }: Omit<TextFieldProps, 'wide' | 'inputMode'>) => (
  <TextField {...field} wide set={(text) => set(text.trim())} />
)

/** A choice of one of several words. */
export const Select = <T extends string>({
  value,
  options,
  choose,
  label,
}: {
  value: T | undefined
  options: readonly T[]
  choose: (chosen: T) => void
  /** Needed outside of a {@link Field}. */
  label?: string
}) => (
  <select value={value} aria-label={label} onChange={({ currentTarget }) => choose(currentTarget.value as T)}>
    {options.map((one) => (
      <option key={one}>{one}</option>
    ))}
  </select>
)

/** A filter with any of several values, or none. */
export const Choose = ({
  label,
  value,
  options,
  set,
}: {
  label: string
  value: string | undefined
  options: readonly (string | readonly [value: string, title: string])[]
  set: (value: string) => void
}) => (
  <Field label={label}>
    <select value={value ?? ''} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <option value="">any</option>
      {options.map((one) => {
        const [chosen, title] = typeof one === 'string' ? [one, one] : one
        return (
          <option key={chosen} value={chosen}>
            {title}
          </option>
        )
      })}
    </select>
  </Field>
)
