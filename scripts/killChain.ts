// node --import tsx scripts/killChain.ts [--kills 100] [--seed 1]
// Lets processes write the recorded local network into a folder, kills each with SIGKILL at a random moment, and checks that
// what it left is whole and goes on. The last line is one JSON object with the figures.
// With --grow <folder> it is such a process itself: it appends steps, now and then takes some back, and says so.
import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openChainFolder } from '../src/devnet/store/openChainFolder.ts'
import { createRandom, killChains } from '../test/support/killedChain.ts'
import { readLocalnetZeroStates } from '../test/support/localnetStore.ts'
import { RECORDED_STEPS, readNextStep } from '../test/support/recordedSteps.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    grow: { type: 'string' },
  },
})
const [kills, seed] = [values.kills, values.seed].map(Number)
if (![kills, seed].every((value) => Number.isSafeInteger(value) && value! >= 0)) {
  console.error('--kills and --seed are whole numbers.')
  process.exit(2)
}

/** Where the process is, or what it is about to do: said at once, since it may be its last word. */
const say = (what: 'at' | 'going', seqno: number): void => void writeSync(1, `${what} ${seqno}\n`)

const grow = async (folder: string): Promise<void> => {
  const random = createRandom(seed!)
  const { store, close } = await openChainFolder(folder, {
    zeroStates: readLocalnetZeroStates(),
    keep: 20,
    checkpointEvery: 7,
    sync: random() < 0.5,
  })
  const head = (): number => store.head?.id.seqno ?? 0
  say('at', head())
  while (head() < RECORDED_STEPS) {
    if (random() < 0.02) takeBack(Math.max(0, head() - Math.floor(random() * 15)))
    const step = await readNextStep(store)
    say('going', head() + 1)
    store.append(step)
    say('at', head())
    await new Promise((resolve) => setImmediate(resolve))
  }
  await close()

  function takeBack(seqno: number): void {
    say('going', seqno)
    try {
      store.revertTo(seqno)
    } catch {
      // Right after a start there are no older states.
    }
    say('at', head())
  }
}

if (values.grow !== undefined) await grow(values.grow)
else console.log(JSON.stringify(await killChains(kills!, seed!)))
