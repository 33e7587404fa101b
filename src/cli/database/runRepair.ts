import type { SeqnoRange } from '../../indexer/pipeline/IndexStore.ts'
import { repairBlockSet } from '../../indexer/verify/repairBlockSet.ts'
import { type Finding, verifyRange } from '../../indexer/verify/verifyRange.ts'
import type { Lease } from '../../store/writer/lease.ts'
import type { CommandContext } from '../Command.ts'
import { exitCodes, expectRange, NetworkSettingsError } from '../errors.ts'
import { letFinish, type OpenIndex, openIndex, takeLease } from './openIndex.ts'
import {
  type BlockSetReader,
  checkBlocks,
  chooseBlocks,
  describeFinding,
  formatCount,
  openSource,
} from './runVerify.ts'

/** Verifies blocks and replaces damaged rows with those of the source. */
export const runRepair = async (context: CommandContext): Promise<number> => {
  const { config, shutdown } = context
  expectRange(config)
  const index = await openIndex(context)
  const ranges = chooseBlocks(index.ranges, config)
  const readBlockSet = index.state && (await openSource(context, index.state, ranges))
  if (index.state !== undefined && readBlockSet === undefined) {
    throw new NetworkSettingsError('repair needs a source of blocks, but no network and no --archive is configured.')
  }
  const lease = await takeLease(context, index.database)
  const repairing = repair(context, { index, ranges, readBlockSet, lease }).finally(() => lease.release())
  return letFinish(shutdown, 'repairing', repairing)
}

const repair = async (context: CommandContext, parts: RepairParts): Promise<number> => {
  const { isWhole, blocks, transactions, mended, left } = await new Repair(context, parts).run()
  const counts = [
    formatCount(blocks, 'block'),
    formatCount(transactions, 'transaction'),
    formatCount(mended.length + left.length, 'finding'),
    `${mended.length} mended`,
  ]
  context.show({
    text: `${isWhole ? '' : 'Stopped before the end: '}${counts.join(', ')}`,
    value: { ranges: parts.ranges, complete: isWhole, blocks, transactions, mended, left },
  })
  return left.length === 0 ? exitCodes.ok.code : exitCodes.failed.code
}

type RepairParts = {
  readonly index: OpenIndex
  readonly ranges: readonly SeqnoRange[]
  readonly readBlockSet: BlockSetReader | undefined
  readonly lease: Lease
}

class Repair {
  readonly #context: CommandContext
  readonly #parts: RepairParts
  readonly #signal: AbortSignal
  readonly #mended: Finding[] = []
  #left: readonly Finding[] = []
  /** Blocks that the source no longer has. */
  readonly #unmendable: Finding[] = []

  constructor(context: CommandContext, parts: RepairParts) {
    this.#context = context
    this.#parts = parts
    this.#signal = AbortSignal.any([context.shutdown.signal, parts.lease.signal])
  }

  async run() {
    const { config, logger } = this.#context
    const { index, ranges, readBlockSet, lease } = this.#parts
    const checked = await checkBlocks(index.database, {
      ranges,
      readBlockSet,
      signal: this.#signal,
      logger,
      isQuiet: config.json,
      onFindings: (findings) => this.#mend(findings),
    })
    if (!this.#context.shutdown.signal.aborted) lease.signal.throwIfAborted()
    await this.#lookAgain()
    return { ...checked, mended: this.#mended, left: [...this.#left, ...this.#unmendable] }
  }

  async #mend(findings: readonly Finding[]): Promise<void> {
    const { index, readBlockSet, lease } = this.#parts
    this.#unmendable.push(...findings.filter(({ fault }) => fault === 'source_damaged'))
    const mendable = findings.filter(({ fault }) => fault !== 'source_damaged')
    for (const seqno of new Set(mendable.map((finding) => finding.seqno))) {
      if (this.#signal.aborted) break
      await repairBlockSet(index.database, await readBlockSet!(seqno, this.#signal), lease)
    }
    await this.#sort(mendable)
  }

  /**
   * A message is stored with its receiver. So one block may have been found damaged for the fault of another, which had its
   * turn later.
   */
  async #lookAgain(): Promise<void> {
    const left = this.#left
    this.#left = []
    await this.#sort(left)
    for (const finding of [...this.#left, ...this.#unmendable])
      this.#tell(`${describeFinding(finding)}; not mended`, finding)
  }

  /** Splits blocks into repaired and not repaired. */
  async #sort(findings: readonly Finding[]): Promise<void> {
    const still = new Set<number>()
    for (const seqno of new Set(findings.map((finding) => finding.seqno))) {
      // An abort does not change the result so far.
      const options = { firstSeqno: seqno, lastSeqno: seqno, signal: new AbortController().signal }
      await verifyRange(this.#parts.index.database, { ...options, onFinding: (finding) => still.add(finding.seqno) })
    }
    for (const finding of findings) {
      if (still.has(finding.seqno)) this.#left = [...this.#left, finding]
      else {
        this.#mended.push(finding)
        this.#tell(`${describeFinding(finding)}; mended`, finding)
      }
    }
  }

  #tell(text: string, value: Finding): void {
    const { config, show } = this.#context
    if (!config.json) show({ text, value })
  }
}
