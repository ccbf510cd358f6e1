import { SeededRandom as DemoRandom } from '#app/demo/random.ts'

/** With the distributions of synthetic agencies. */
export class SeededRandom extends DemoRandom {
  /** Gamma with this shape and mean 1 (Marsaglia and Tsang). */
  gamma(shape: number): number {
    if (shape < 1) return ((this.gamma(shape + 1) * (shape + 1)) / shape) * this.next() ** (1 / shape)
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const x = this.normal()
      const v = (1 + c * x) ** 3
      if (v > 0 && Math.log(1 - this.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return (d * v) / shape
    }
  }
  poisson(mean: number): number {
    if (mean > 500) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()))
    return this.count(mean)
  }
}
