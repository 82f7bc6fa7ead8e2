import { useState } from 'preact/hooks'
import { FINDINGS } from './findings.ts'
import type { CardLayout, ChipLayout, MediaLayout, MessageLayout, PreviewFinding, TextLayout } from './shapes.ts'

/** Renders a layout. Preact treats all content as text; none of it becomes markup, style or address. */

interface Props {
  layout: MessageLayout
  allowsMedia?: boolean
  tap?: ((chip: ChipLayout) => void) | undefined
  /** Makes suggestions inactive. */
  isStill?: boolean
}

export function MessageView({ layout, allowsMedia = false, tap, isStill = false }: Props) {
  const { text, cards, isCarousel, preview } = layout
  const drawn = { allowsMedia, tap, isStill }
  return (
    <>
      {text && (
        <div class="bubble" dir="auto">
          <bdi>{text.text}</bdi>
          {preview && <LinkPreview url={preview} />}
        </div>
      )}
      {cards.length > 0 && (
        <section
          class={isCarousel ? 'carousel' : 'single'}
          {...(isCarousel ? { tabIndex: 0 } : {})}
          aria-label={isCarousel ? 'Carousel' : 'Card'}
        >
          {cards.map((card, i) => (
            <CardView key={i} card={card} {...drawn} />
          ))}
        </section>
      )}
    </>
  )
}

const LinkPreview = ({ url }: { url: string }) => (
  <span class="link-preview">
    <span class="picture" aria-hidden="true" />
    {hostOf(url)}
  </span>
)

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

type Drawn = Omit<Props, 'layout'>

function CardView({ card, ...drawn }: { card: CardLayout } & Drawn) {
  const { widthDp, heightDp, media, title, description, suggestions } = card
  const isBeside = media?.place === 'left'
  const folded = suggestions.filter(({ fate }) => fate === 'folded')
  const dropped = suggestions.filter(({ fate }) => fate === 'dropped')
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
        {media && !media.isDropped && <MediaView media={media} allowsMedia={drawn.allowsMedia ?? false} />}
        <div class="card-body">
          {((title?.lines ?? 0) > 0 || (description?.lines ?? 0) > 0) && (
            <div class="card-text">
              <Clamped of={title} class="card-title" />
              <Clamped of={description} class="card-description" />
            </div>
          )}
          <div class="card-buttons">
            {suggestions
              .filter(({ fate }) => fate === 'shown')
              .map((chip) => (
                <Chip key={chip.index} chip={chip} {...drawn} />
              ))}
            {folded.length > 0 && <Folded chips={folded} {...drawn} />}
          </div>
        </div>
      </div>
      {lost.length > 0 && (
        <p class="lost" style={{ width: `${widthDp}px` }}>
          Not shown: {lost.join(', ')}
        </p>
      )}
    </div>
  )
}

const linesLost = ({ wanted, lines }: TextLayout, what: string) =>
  `${wanted - lines === 1 ? 'a line' : `${wanted - lines} lines`} of its ${what}`

const Clamped = ({ of, class: name }: { of: TextLayout | undefined; class: string }) =>
  of && of.lines > 0 ? (
    <p class={`clamped ${name}`} style={{ WebkitLineClamp: String(of.lines) }} dir="auto">
      {of.text}
    </p>
  ) : null

function MediaView({ media, allowsMedia }: { media: MediaLayout; allowsMedia: boolean }) {
  const { url, thumbnailUrl, kind, widthDp, heightDp } = media
  const [isBroken, setBroken] = useState(false)
  const picture = kind === 'video' ? thumbnailUrl : (thumbnailUrl ?? url)
  return (
    <div class={`media ${kind}`} style={{ width: `${widthDp}px`, height: `${heightDp}px` }}>
      {allowsMedia && picture && !isBroken ? (
        <img src={picture} alt="" referrerpolicy="no-referrer" onError={() => setBroken(true)} />
      ) : (
        <span class="placeholder" title={url}>
          <span class="sign" aria-hidden="true">
            {kind === 'video' ? '▶' : '▣'}
          </span>
          <span class="name">
            {url
              .replace(/[?#].*$/, '')
              .split('/')
              .at(-1) || hostOf(url)}
          </span>
          <span class="size">
            {widthDp} × {heightDp} dp{isBroken ? ' · cannot be loaded' : ''}
          </span>
        </span>
      )}
    </div>
  )
}

function Chip({ chip, tap, isStill }: { chip: ChipLayout } & Drawn) {
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
  if (isStill)
    return (
      <span class={`chip ${chip.kind}`} title={chip.target}>
        {words}
      </span>
    )
  return (
    <button type="button" class={`chip ${chip.kind}`} title={chip.target} onClick={() => tap?.(chip)}>
      {words}
    </button>
  )
}

const SIGNS = { reply: '', dial: '✆', open_url: '↗' } as const

/** Chips behind one button. */
function Folded({ chips, ...drawn }: { chips: readonly ChipLayout[] } & Drawn) {
  const [isOpen, setOpen] = useState(false)
  const label = 'Options'
  if (drawn.isStill) return <span class="chip folded">{label} ▾</span>
  return (
    <>
      <button type="button" class="chip folded" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label} ▾
      </button>
      {isOpen && (
        <span class="menu">
          {chips.map((chip) => (
            <Chip key={chip.index} chip={chip} {...drawn} />
          ))}
        </span>
      )}
    </>
  )
}

export function Chips({ chips, ...drawn }: { chips: readonly ChipLayout[] } & Drawn) {
  const folded = chips.filter(({ fate }) => fate === 'folded')
  const shown = chips.filter(({ fate }) => fate === 'shown')
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

export const Findings = ({ of }: { of: readonly PreviewFinding[] }) =>
  of.length === 0 ? (
    <p class="empty">It is shown as it was asked for.</p>
  ) : (
    <ul class="findings">
      {of.map(({ code, at }, i) => (
        <li key={`${code} ${at} ${i}`} class={FINDINGS[code].weight}>
          <code>{code}</code> <span class="quiet">{at}</span>
          <p>{FINDINGS[code].says}</p>
          <p class="source">{FINDINGS[code].source}</p>
        </li>
      ))}
    </ul>
  )
