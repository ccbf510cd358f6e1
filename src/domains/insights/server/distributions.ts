/** Discrete distributions as mass functions: index k holds P(X = k). Nothing is sampled, so the same facts give the same numbers. */
type MassFunction = Float64Array

/** Returns the sum of independent yes-or-no events with these chances (Poisson binomial), by convolution. */
export function sumOfChances(chances: readonly number[]): MassFunction {
  const mass = new Float64Array(chances.length + 1)
  mass[0] = 1
  for (const [index, chance] of chances.entries())
    for (let k = index + 1; k >= 0; k--) mass[k] = mass[k]! * (1 - chance) + (k > 0 ? mass[k - 1]! * chance : 0)
  return mass
}

/** Returns a count with this mean and variance: negative binomial if the variance is larger, else Poisson. */
export function countMass(mean: number, variance: number): MassFunction {
  if (mean <= 0) return Float64Array.of(1)
  const size = variance > mean * 1.0001 ? mean ** 2 / (variance - mean) : 1e6
  const limit = Math.ceil(mean + 9 * Math.sqrt(Math.max(variance, mean)) + 12)
  const mass = new Float64Array(limit + 1)
  const ratio = mean / (mean + size)
  let log = -size * Math.log1p(mean / size)
  mass[0] = Math.exp(log)
  for (let k = 1; k <= limit; k++) {
    log += Math.log((ratio * (size + k - 1)) / k)
    mass[k] = Math.exp(log)
  }
  return mass
}

/** Returns the sum of two independent counts. */
export function convolveMasses(a: MassFunction, b: MassFunction): MassFunction {
  const mass = new Float64Array(a.length + b.length - 1)
  for (let i = 0; i < a.length; i++) {
    const chance = a[i]!
    if (chance < 1e-14) continue
    for (let j = 0; j < b.length; j++) mass[i + j]! += chance * b[j]!
  }
  return mass
}

/** Returns P(X >= count). */
export function chanceOfAtLeast(mass: MassFunction, count: number): number {
  if (count <= 0) return 1
  let sum = 0
  for (let k = Math.ceil(count); k < mass.length; k++) sum += mass[k]!
  return Math.min(1, sum)
}

/** Returns the smallest k with P(X <= k) >= share. */
export function massQuantile(mass: MassFunction, share: number): number {
  let sum = 0
  for (let k = 0; k < mass.length; k++) {
    sum += mass[k]!
    if (sum >= share - 1e-12) return k
  }
  return mass.length - 1
}

/** Returns P(X <= count) of a negative binomial with this mean and shape. */
export function negativeBinomialCdf(count: number, mean: number, shape: number): number {
  let term = (1 + mean / shape) ** -shape
  let sum = term
  const ratio = mean / (mean + shape)
  for (let k = 1; k <= count; k++) {
    term *= (ratio * (shape + k - 1)) / k
    sum += term
  }
  return Math.min(1, sum)
}
