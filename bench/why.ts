import { parseArgs } from 'node:util'
import { backtestWhy, parseFacts } from '#domains/insights/public.ts'
import { emptyScore, scoreWhy } from '#test/insights/score-why.ts'
import { makeWhyWorld } from '#test/insights/why-world.ts'

/** Prints how often `why` names the planted cause of synthetic agencies: `node bench/why.ts --seeds 1,2,3 --campaigns 150`. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3' },
    campaigns: { type: 'string', default: '150' },
    wandering: { type: 'string', default: '1' },
  },
})
const score = emptyScore()
let seconds = 0
for (const seed of values.seeds.split(',').map(Number)) {
  const world = makeWhyWorld(seed, { campaigns: Number(values.campaigns), wandering: Number(values.wandering) })
  const facts = parseFacts(world.lines)
  const begins = performance.now()
  scoreWhy(score, world, backtestWhy(facts, { from: world.from, to: world.to, timeZone: 'America/New_York' }))
  seconds += (performance.now() - begins) / 1000
}
const share = (part: number, of: number) => `${part} of ${of} (${Math.round((100 * part) / of)}%)`
console.log(`the cause is named first       ${share(score.first, score.large)}`)
console.log(`  among the first three        ${share(score.firstThree, score.large)}`)
console.log(`none is named where none is    ${share(score.noneFound, score.none)}`)
console.log(`its leads are within the range ${share(score.held, score.named)}`)
console.log(`both of two large are named    ${share(score.twoNamed, score.two)}`)
for (const [kind, { first, large }] of score.kinds) console.log(`${kind.padEnd(30)} ${first} of ${large}`)
console.log(`${seconds.toFixed(1)} s`)
