import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Long files first, so that no worker is left alone with one at the end. Vitest goes by size until it knows better, which it
 * never does in a fresh checkout; but a line of a browser test takes as long as five others, and the tests of drills, of the demo, of
 * `npm run dev` and of values on all screens are short and take long. Drills mostly wait for processes, so each comes beside a file that
 * keeps the machine busy.
 * With `--sequence.shuffle` files come in an order of its seed.
 */
export default class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence
    if (shuffle) return sortBy(files, ({ moduleId }) => drawNumber(seed + moduleId))
    const slow = files.filter(takesLong)
    const others = sortBy(
      files.filter((file) => !takesLong(file)),
      estimateWork,
    )
    return [...slow.flatMap((file, index) => [file, ...others.slice(index, index + 1)]), ...others.slice(slow.length)]
  }
}

/** The highest rank comes first. */
function sortBy(files: TestSpecification[], rank: (file: TestSpecification) => number): TestSpecification[] {
  const ranks = new Map(files.map((file) => [file, rank(file)]))
  return files.toSorted((one, other) => ranks.get(other)! - ranks.get(one)!)
}

const drawNumber = (text: string) => createHash('sha1').update(text).digest().readUInt32BE()

const takesLong = ({ moduleId }: TestSpecification) =>
  /\/(test\/drills|app\/demo)\/|\/test\/dev\.test|\/values-in-sight/.test(moduleId)

function estimateWork({ moduleId }: TestSpecification): number {
  const lines = readFileSync(moduleId, 'utf8').split('\n').length
  return moduleId.includes('/test/e2e/') ? 5 * lines : lines
}
