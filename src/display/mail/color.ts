type Rgb = readonly [number, number, number]

const NAMED: Readonly<Record<string, string>> = {
  ...{ black: '#000000', white: '#ffffff', red: '#ff0000', green: '#008000', blue: '#0000ff', yellow: '#ffff00' },
  ...{ gray: '#808080', grey: '#808080', silver: '#c0c0c0', lightgray: '#d3d3d3', lightgrey: '#d3d3d3' },
  ...{ darkgray: '#a9a9a9', navy: '#000080', orange: '#ffa500', purple: '#800080', maroon: '#800000' },
}

/** A color of CSS; undefined for one that cannot be judged, such as a transparent one. */
export function colorOf(text: string | undefined): Rgb | undefined {
  const value = text?.trim().toLowerCase()
  if (value === undefined) return undefined
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(NAMED[value] ?? value)?.[1]
  if (hex) {
    const six = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex
    return [0, 2, 4].map((at) => Number.parseInt(six.slice(at, at + 2), 16)) as unknown as Rgb
  }
  const parts = /^rgb\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*\)$/.exec(value)
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : undefined
}

const linear = (channel: number) => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)

/** The contrast of two colors, 1 to 21 (WCAG 2.2, 1.4.3). */
export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}
