import type { ReportNumbers } from '../contract.ts'

/** Twice the size in which emails show it, for sharp screens. */
const picture = { width: 1024, height: 240, gap: 24, floor: 4 }

/** Draws the weeks' verified leads as bars, a PNG image on white. Their numbers stand below it as text. */
export async function drawWeeksPicture(weeks: ReportNumbers['weeks'], color: string): Promise<Buffer> {
  const most = Math.max(1, ...weeks.map(({ verified }) => verified))
  const room = picture.width / weeks.length
  const bars = weeks.map(({ verified }, index) => {
    const height = Math.max(picture.floor, Math.round((verified / most) * picture.height))
    const x = Math.round(index * room + picture.gap / 2)
    return `<rect x="${x}" y="${picture.height - height}" width="${Math.round(room - picture.gap)}" height="${height}" fill="${color}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${picture.width}" height="${picture.height}"><rect width="100%" height="100%" fill="#ffffff"/>${bars.join('')}</svg>`
  const { default: sharp } = await import('sharp') // large, and most processes never need it
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
}
