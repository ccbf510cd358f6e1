/** Returns round numbers from 0 to at least the highest value, at most six. */
export function computeChartTicks(highest: number): number[] {
  const most = Math.max(highest, 4)
  const power = 10 ** Math.floor(Math.log10(most / 5))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => most / size <= 5) ?? power * 10)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}
