import { signal } from '@preact/signals'
import { MediaSwitch } from '../handset/media-switch.tsx'
import { Json } from '../ui/parts.tsx'
import { MailFrame } from './mail-frame.tsx'

const VIEWS = ['html', 'text', 'source'] as const
const WIDTHS = ['wide', 'narrow'] as const
const THEMES = ['light', 'dark', 'both'] as const

/** Kept between emails. */
const view = signal<(typeof VIEWS)[number]>('html')
const width = signal<(typeof WIDTHS)[number]>('wide')
const theme = signal<(typeof THEMES)[number]>('both')

/** An email in light and dark, wide and narrow, as text and as source. */
export function MailPreview({
  content,
  clicked,
}: {
  content: Readonly<Record<string, unknown>>
  clicked?: (url: string) => void
}) {
  const { html, text } = content as { html?: string; text?: string }
  const themes = theme.value === 'both' ? (['light', 'dark'] as const) : [theme.value]
  return (
    <>
      <p class="choices wrap">
        <Toggle label="View" options={VIEWS} choice={view} />
        {view.value === 'html' && html && (
          <>
            <Toggle label="Colours" options={THEMES} choice={theme} />
            <Toggle label="Width" options={WIDTHS} choice={width} />
            <MediaSwitch />
          </>
        )}
      </p>
      {view.value === 'source' ? (
        <Json of={html ?? text ?? ''} label="Source of the email" wraps />
      ) : view.value === 'text' || !html ? (
        <Json of={text ?? 'This email has no text part.'} label="Text of the email" wraps />
      ) : (
        <div class="mails">
          {themes.map((one) => (
            <MailFrame key={one} html={html} theme={one} isNarrow={width.value === 'narrow'} clicked={clicked} />
          ))}
        </div>
      )}
    </>
  )
}

const Toggle = <T extends string>({
  label,
  options,
  choice,
}: {
  label: string
  options: readonly T[]
  choice: { value: T }
}) => (
  <fieldset class="toggles" aria-label={label}>
    {options.map((one) => (
      <button
        key={one}
        type="button"
        class="button small"
        aria-pressed={choice.value === one}
        onClick={() => {
          choice.value = one
        }}
      >
        {one}
      </button>
    ))}
  </fieldset>
)
