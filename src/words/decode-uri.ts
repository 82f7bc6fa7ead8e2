/** Decodes the percent escapes of a text. One with a broken escape is unchanged. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
