import { type PackContext, PackIndex } from './PackIndex.ts'

/** The packages that were looked into lately. The least used are forgotten when together they have too many entries. */
export class PackCache {
  private readonly context: PackContext
  private readonly maxEntries: number
  private readonly packs = new Map<string, { readonly index: PackIndex; entries: number; round: number }>()
  private entries = 0

  constructor(maxEntries: number, context: PackContext) {
    this.maxEntries = maxEntries
    this.context = context
  }

  /** A package as it is in this round or later. */
  async load(path: string, round: number): Promise<PackIndex> {
    const pack = this.packs.get(path) ?? { index: new PackIndex(path, this.context), entries: 0, round: -1 }
    this.packs.delete(path)
    this.packs.set(path, pack)
    if (pack.round < round) {
      await pack.index.update()
      pack.round = round
      if (this.packs.get(path) === pack) this.recount(pack)
    }
    return pack.index
  }

  /** All at hand, as they were when last looked into; the latest used come first. */
  list(): PackIndex[] {
    return Array.from(this.packs.values(), ({ index }) => index).reverse()
  }

  private recount(pack: { readonly index: PackIndex; entries: number }): void {
    this.entries += pack.index.table.count - pack.entries
    pack.entries = pack.index.table.count
    for (const [path, oldest] of this.packs) {
      if (this.entries <= this.maxEntries || oldest === pack) break
      this.packs.delete(path)
      this.entries -= oldest.entries
    }
  }
}
