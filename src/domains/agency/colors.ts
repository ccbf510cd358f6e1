/** Colors as the pages and emails of clients need them, computed from the one that the agency chose. */
type AgencyColors = {
  /** On white and near white; white text on it is readable. */
  onLight: string
  /** On the dark theme's surfaces; `darkInk` on it is readable. */
  onDark: string
}

/** Text on `onDark`. */
export const darkInk = '#12161d'
/** What the color is drawn on; the tests compare them with tokens.css. */
export const lightGrounds = ['#ffffff', '#f6f7f9'] as const
export const darkGrounds = ['#12161d', '#1a1f29'] as const
/** WCAG 2.2 AA for text of any size. */
const textContrast = 4.5

/** Returns the color, darkened or lightened where text in it, or on it, would be hard to read. */
export const computeAgencyColors = (color: string): AgencyColors => ({
  onLight: mixUntil(color, '#000000', (mixed) => isReadableOn(mixed, lightGrounds)),
  onDark: mixUntil(color, '#ffffff', (mixed) => isReadableOn(mixed, [...darkGrounds, darkInk])),
})

/** Returns the colors as the custom properties of which AgencyHead.module.css makes `--agency` in either theme. */
export function buildColorProperties(color: string): Record<string, string> {
  const { onLight, onDark } = computeAgencyColors(color)
  return { '--agency-light': onLight, '--agency-dark': onDark }
}

const isReadableOn = (color: string, grounds: readonly string[]) =>
  grounds.every((ground) => computeContrast(color, ground) >= textContrast)

function mixUntil(color: string, target: string, isEnough: (mixed: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mixColors(color, target, share)
    if (isEnough(mixed)) return mixed
  }
  return target
}

function mixColors(color: string, target: string, share: number): string {
  const [from, to] = [readChannels(color), readChannels(target)]
  const mixed = from.map((channel, index) => Math.round(channel + (to[index]! - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

const readChannels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** Returns the contrast of two colors as WCAG defines it, 1 to 21. */
export function computeContrast(first: string, second: string): number {
  const [darker, lighter] = [computeLuminance(first), computeLuminance(second)].sort((a, b) => a - b) as [
    number,
    number,
  ] // two, as above
  return (lighter + 0.05) / (darker + 0.05)
}

function computeLuminance(color: string): number {
  const [red, green, blue] = readChannels(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number] // three channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
