import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { FINDINGS } from '../../display/handset/findings.ts'
import { MAX_VISIBLE_LINES } from '../../display/handset/ios.ts'
import type {
  CardLayout,
  ChipLayout,
  MediaLayout,
  MessageLayout,
  PreviewFinding,
  TextLayout,
} from '../../display/handset/shapes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { FindingList } from '../ui/finding-list.tsx'
import { allowsMedia } from './media-switch.tsx'

export const PLATFORM_NAMES = { android: 'Android', ios: 'iOS' } as const

/** Renders a layout. Preact treats all content as text; none of it becomes markup, style or address. */

interface Props {
  layout: MessageLayout
  /** Draws a suggestion that can be tapped. */
  tapAs?: ((chip: ChipLayout, words: ComponentChildren) => ComponentChildren) | undefined
  /** Makes suggestions inactive. */
  isStill?: boolean
}

export function MessageView({ layout, tapAs, isStill = false }: Props) {
  const { text, cards, isCarousel, preview } = layout
  const drawn = { tapAs, isStill, isIos: layout.profile === 'ios' }
  return (
    <>
      {text && (
        <div class="bubble">
          <bdi>{text.text}</bdi>
          {preview && <LinkPreview url={preview} />}
        </div>
      )}
      {cards.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form.
        <div
          role="group"
          class={isCarousel ? 'carousel' : 'single'}
          {...(isCarousel ? { tabIndex: 0 } : {})}
          aria-label={`${isCarousel ? 'Carousel' : 'Card'} of ${nameOf(layout)}`}
        >
          {cards.map((card, i) => (
            <CardView key={i} card={card} {...drawn} />
          ))}
        </div>
      )}
    </>
  )
}

const nameOf = ({ cards }: MessageLayout) => cards.map(({ title }) => title?.text ?? 'a card').join(', ')

const LinkPreview = ({ url }: { url: string }) => (
  <span class="link-preview">
    <span class="picture" aria-hidden="true" />
    {hostOf(url)}
  </span>
)

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

type Drawn = Omit<Props, 'layout'> & { isIos?: boolean }

function CardView({ card, ...drawn }: { card: CardLayout } & Drawn) {
  const { widthDp, heightDp, media, title, description, suggestions } = card
  const isBeside = media?.place === 'left'
  const folded = suggestions.filter(({ visibility }) => visibility === 'folded')
  const dropped = suggestions.filter(({ visibility }) => visibility === 'dropped')
  const lost = [
    ...(media?.isDropped ? ['its media'] : []),
    ...(title && title.lines < title.wanted ? [title.lines === 0 ? 'its title' : linesLost(title, 'title')] : []),
    ...(description && description.lines < description.wanted
      ? [description.lines === 0 ? 'its description' : linesLost(description, 'description')]
      : []),
    ...dropped.map(({ text }) => `“${text}”`),
  ]
  return (
    <div class="card-place">
      <div class={`card ${isBeside ? 'beside' : ''}`} style={{ width: `${widthDp}px`, height: `${heightDp}px` }}>
        {media && !media.isDropped && <MediaView media={media} {...drawn} />}
        <div class="card-body">
          {((title?.lines ?? 0) > 0 || (description?.lines ?? 0) > 0) && (
            <div class="card-text">
              <Clamped of={title} class="card-title" />
              <Clamped
                of={description}
                class="card-description"
                opensAlone={drawn.isIos && (description?.wanted ?? 0) > MAX_VISIBLE_LINES}
              />
            </div>
          )}
          <div class="card-buttons">
            {suggestions
              .filter(({ visibility }) => visibility === 'shown')
              .map((chip) => (
                <Chip key={chip.index} chip={chip} {...drawn} />
              ))}
            {folded.length > 0 && <Folded chips={folded} {...drawn} />}
          </div>
        </div>
      </div>
      {lost.length > 0 && (
        <p class="not-shown" style={{ width: `${widthDp}px` }}>
          Not shown: {lost.join(', ')}
        </p>
      )}
    </div>
  )
}

const linesLost = ({ wanted, lines }: TextLayout, what: string) =>
  `${wanted - lines === 1 ? 'a line' : `${wanted - lines} lines`} of its ${what}`

function Clamped({
  of,
  class: name,
  opensAlone = false,
}: {
  of: TextLayout | undefined
  class: string
  opensAlone?: boolean | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  if (!of || of.lines === 0) return null
  const text = (
    <p class={`clamped ${name}`} style={{ WebkitLineClamp: String(of.lines) }} dir="auto">
      {of.text}
    </p>
  )
  if (!opensAlone) return text
  return (
    <>
      <button type="button" class="bare" aria-label="Open the text alone" onClick={() => setOpen(true)}>
        {text}
      </button>
      {isOpen && (
        <Viewer title="Text alone, as iOS shows it" close={() => setOpen(false)}>
          <p dir="auto">{of.text}</p>
        </Viewer>
      )}
    </>
  )
}

const Viewer = ({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) => (
  <Dialog title={title} close={close} class="viewer">
    {children}
    <p class="choices end">
      <button type="button" class="button" onClick={close}>
        Close
      </button>
    </p>
  </Dialog>
)

const nameIn = (url: string): string =>
  url
    .replace(/[?#].*$/, '')
    .split('/')
    .at(-1) || hostOf(url)

/** Media as the phone shows it; a tap shows all of it. */
function MediaView({ media, isIos = false }: { media: MediaLayout } & Drawn) {
  const { url, thumbnailUrl, kind, widthDp, heightDp, place } = media
  const [isBroken, setBroken] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const picture = kind === 'video' ? thumbnailUrl : (thumbnailUrl ?? url)
  const isStill = isIos && kind === 'gif'
  const isTurned = isIos && kind === 'video' && place === 'left'
  const image = allowsMedia && picture && !isBroken && (
    <img
      src={picture}
      alt=""
      referrerpolicy="no-referrer"
      onError={() => setBroken(true)}
      onLoad={({ currentTarget }) => isStill && holdStill(currentTarget)}
    />
  )
  return (
    <div class={`media ${kind} ${isTurned ? 'turned' : ''}`} style={{ width: `${widthDp}px`, height: `${heightDp}px` }}>
      <button
        type="button"
        class="bare"
        aria-label={image ? `Show all of ${nameIn(url)}` : undefined}
        onClick={() => setOpen(true)}
      >
        {image || (
          <span class="placeholder" title={url}>
            <span class="sign" aria-hidden="true">
              {kind === 'video' ? '▶' : '▣'}
            </span>
            <span class="name">{nameIn(url)}</span>
            <span class="size">
              {widthDp} × {heightDp} dp{isBroken ? ' · cannot be loaded' : ''}
            </span>
          </span>
        )}
        {kind === 'gif' && <span class="media-badge">{isStill ? 'GIF, still' : 'GIF, moving'}</span>}
        {isTurned && <span class="media-badge">turned</span>}
      </button>
      {isOpen && (
        <Viewer title={nameIn(url)} close={() => setOpen(false)}>
          {allowsMedia && picture ? (
            <img src={picture} alt="" referrerpolicy="no-referrer" />
          ) : (
            <p>
              Not loaded: <bdi class="mono">{url}</bdi>
            </p>
          )}
        </Viewer>
      )}
    </div>
  )
}

/** Replaces a moving picture by its first frame. */
function holdStill(image: HTMLImageElement) {
  const frame = document.createElement('canvas')
  frame.width = image.naturalWidth
  frame.height = image.naturalHeight
  frame.getContext('2d')?.drawImage(image, 0, 0)
  image.hidden = true
  image.after(frame)
}

function Chip({ chip, tapAs, isStill }: { chip: ChipLayout } & Drawn) {
  const sign = SIGNS[chip.kind]
  const words = (
    <>
      {sign && (
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
      )}
      <bdi>{chip.text}</bdi>
    </>
  )
  if (!isStill && tapAs) return <>{tapAs(chip, words)}</>
  return (
    <span class={`chip ${chip.kind}`} title={chip.target}>
      {words}
    </span>
  )
}

const SIGNS = { reply: '', dial: '✆', open_url: '↗' } as const

/** Chips behind one button. */
function Folded({ chips, ...drawn }: { chips: readonly ChipLayout[] } & Drawn) {
  const [isOpen, setOpen] = useState(false)
  const label = 'Options'
  if (drawn.isStill) return <span class="chip folded">{label} ▾</span>
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    // It closes the menu only, not the message beside the list.
    event.stopPropagation()
    setOpen(false)
  }
  return (
    <>
      <button
        type="button"
        class="chip folded"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={onKeyDown}
      >
        {label} ▾
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of its chips.
        <span class="menu" onKeyDown={onKeyDown}>
          {chips.map((chip) => (
            <Chip key={chip.index} chip={chip} {...drawn} />
          ))}
        </span>
      )}
    </>
  )
}

export function Chips({ chips, ...drawn }: { chips: readonly ChipLayout[] } & Drawn) {
  const folded = chips.filter(({ visibility }) => visibility === 'folded')
  const shown = chips.filter(({ visibility }) => visibility === 'shown')
  if (folded.length + shown.length === 0) return null
  return (
    <div class="chips">
      {folded.length > 0 && <Folded chips={folded} {...drawn} />}
      {shown.map((chip) => (
        <Chip key={chip.index} chip={chip} {...drawn} />
      ))}
    </div>
  )
}

interface Found extends PreviewFinding {
  /** Where the finding is, if not in the shown message. */
  where?: ComponentChildren
}

/** Differences between the request and what a phone shows. */
export const Findings = ({ of }: { of: readonly Found[] }) => (
  <FindingList
    empty="Shown as sent."
    of={of.map(({ code, at, where }) => ({ ...FINDINGS[code], name: code, at, where }))}
  />
)
