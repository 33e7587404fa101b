import type { Augmentation } from '../cell/AugDict.ts'

/** The least logical time among the leaves: what queues of messages sum up, all but how a leaf's own is found. */
export const minLt: Omit<Augmentation<never, bigint>, 'ofLeaf'> = {
  codec: { read: (r) => r.readUint64(), write: (w, lt) => void w.writeUint64(lt) },
  empty: 0n,
  combine: (left, right) => (left < right ? left : right),
}
