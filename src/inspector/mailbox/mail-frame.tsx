import { useEffect, useRef } from 'preact/hooks'
import { allowsMedia } from '../handset/media-switch.tsx'
import { isFromFrame } from './frame-messages.ts'

/** An email in a frame of its own; `clicked` is called with links. */
export function MailFrame({
  html,
  isNarrow,
  clicked,
}: {
  html: string
  isNarrow: boolean
  clicked: (url: string) => void
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef({ html, clicked })
  latest.current = { html, clicked }
  const show = () =>
    frame.current?.contentWindow?.postMessage({ kind: 'mail-show', html: latest.current.html }, location.origin)
  useEffect(() => {
    const heard = ({ data, source, origin }: MessageEvent) => {
      if (origin !== location.origin || source !== frame.current?.contentWindow || !isFromFrame(data)) return
      if (data.kind === 'mail-ready') show()
      else latest.current.clicked(data.url)
    }
    addEventListener('message', heard)
    return () => removeEventListener('message', heard)
  }, [])
  useEffect(() => {
    show()
  }, [html])
  return (
    <iframe
      ref={frame}
      class={`mail ${isNarrow ? 'narrow' : ''}`}
      title="Email"
      src={`/inspector/mail.html${allowsMedia ? '?media=allow' : ''}`}
    />
  )
}
