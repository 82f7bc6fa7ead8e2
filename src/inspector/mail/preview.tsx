import { type Signal, signal } from '@preact/signals'
import type { LintMessage } from '../../display/mail/finding.ts'
import { lintEmail } from '../../display/mail/rules.ts'
import { MediaSwitch } from '../handset/media-switch.tsx'
import { Toggles } from '../ui/fields.tsx'
import { FindingList } from '../ui/finding-list.tsx'
import { Json } from '../ui/parts.tsx'
import { MailFrame } from './mail-frame.tsx'

const VIEWS = ['HTML', 'Text', 'Source'] as const
const WIDTHS = ['Wide', 'Narrow'] as const
const THEMES = ['Light', 'Dark', 'Both'] as const

/** Kept between emails. */
const view = signal<(typeof VIEWS)[number]>('HTML')
const width = signal<(typeof WIDTHS)[number]>('Wide')
const theme = signal<(typeof THEMES)[number]>('Both')

/** An email in light and dark, wide and narrow, as text and as source, with what `sandbox lint` finds. */
export function MailPreview({ mail, clicked }: { mail: LintMessage; clicked?: (url: string) => void }) {
  const { html, text } = mail.content
  const isNarrow = width.value === 'Narrow'
  const options = html ? VIEWS : VIEWS.slice(1)
  const shown = options.includes(view.value) ? view.value : 'Text'
  const themes = theme.value === 'Both' ? (['light', 'dark'] as const) : [THEME_OF[theme.value]]
  return (
    <>
      <p class="choices wrap">
        <Choice label="View" options={options} of={view} value={shown} />
        {shown === 'HTML' && (
          <>
            <Choice label="Colours" options={THEMES} of={theme} />
            <Choice label="Width" options={WIDTHS} of={width} />
            <MediaSwitch />
          </>
        )}
      </p>
      {shown === 'Source' ? (
        <Json of={html ?? text ?? ''} label="Source of the email" wraps />
      ) : shown === 'Text' || !html ? (
        <Json of={text ?? 'This email has no text part.'} label="Text of the email" wraps />
      ) : (
        <div class={`mails ${isNarrow ? 'narrow' : ''}`}>
          {themes.map((one) => (
            <MailFrame key={one} html={html} theme={one} isNarrow={isNarrow} clicked={clicked} />
          ))}
        </div>
      )}
      <h3>Checks</h3>
      <FindingList
        empty="sandbox lint finds nothing."
        of={lintEmail(mail).map(({ rule, level, message, source }) => ({
          name: rule,
          weight: level === 'error' ? 'drops' : 'changes',
          says: message,
          source,
        }))}
      />
    </>
  )
}

const THEME_OF = { Light: 'light', Dark: 'dark' } as const

interface ChoiceProps<T> {
  label: string
  options: readonly T[]
  of: Signal<T>
  value?: T
}

const Choice = <T extends string>({ of, value = of.value, ...rest }: ChoiceProps<T>) => (
  <Toggles
    {...rest}
    value={value}
    choose={(chosen) => {
      of.value = chosen
    }}
  />
)
