// Prints how large V8 makes the space for new objects, in bytes: while memory is spared, and after that.
import { setTimeout as delay } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { collectWhenIdle, littleGarbage } from '../../src/observe/collectWhenIdle.ts'

/** Objects that outlive a collection or two: V8 gives the next ones more room. */
const keepNewObjects = async (): Promise<number> => {
  let kept: object[] = []
  for (let round = 0; round < 800; round++) {
    for (let k = 0; k < 1000; k++) kept.push({ k, list: [k] })
    if (kept.length > 300_000) kept = kept.slice(200_000)
    await delay(2)
  }
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_size
}

const stop = collectWhenIdle(littleGarbage)
const sparing = await keepNewObjects()
stop()
console.log(JSON.stringify([sparing, await keepNewObjects()]))
