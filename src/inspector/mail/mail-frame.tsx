import { useEffect, useRef, useState } from 'preact/hooks'
import { allowsMedia } from '../handset/media-switch.tsx'
import { isFromFrame, type MessageToFrame } from './frame-messages.ts'

interface Props {
  html: string
  theme: 'light' | 'dark'
  isNarrow: boolean
  /** Called with the URL of a followed link. */
  clicked?: ((url: string) => void) | undefined
}

/** A short email has a low frame; a long one scrolls in it. */
const [MIN_PX, MAX_PX] = [160, 720]

/** An email in a frame of its own. */
export function MailFrame({ html, theme, isNarrow, clicked }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(MIN_PX)
  const latest = useRef({ html, theme, clicked })
  latest.current = { html, theme, clicked }
  const show = () => {
    const { html, theme } = latest.current
    const message: MessageToFrame = { kind: 'mail-show', html, theme }
    frame.current?.contentWindow?.postMessage(message, location.origin)
  }
  useEffect(() => {
    const received = ({ data, source, origin }: MessageEvent) => {
      if (origin !== location.origin || source !== frame.current?.contentWindow || !isFromFrame(data)) return
      if (data.kind === 'mail-ready') show()
      else if (data.kind === 'mail-sized') setHeight(Math.min(MAX_PX, Math.max(MIN_PX, data.height)))
      else latest.current.clicked?.(data.url)
    }
    addEventListener('message', received)
    return () => removeEventListener('message', received)
  }, [])
  useEffect(show, [html, theme])
  return (
    <iframe
      ref={frame}
      style={{ height: `${height}px` }}
      class={`mail ${isNarrow ? 'narrow' : ''} ${theme}`}
      title={`Email, ${theme}, ${isNarrow ? 'narrow' : 'wide'}`}
      src={`/inspector/mail.html${allowsMedia ? '?media=allow' : ''}`}
    />
  )
}
