import type { Command } from '../Command.ts'
import { actions } from './actions.ts'
import { db } from './db.ts'
import { dev } from './dev.ts'
import { doctor } from './doctor.ts'
import { help } from './help.ts'
import { indexChain } from './indexChain.ts'
import { lite } from './lite.ts'
import { replay } from './replay.ts'
import { start } from './start.ts'

/** Every command, in the order in which help shows them. */
export const commands: readonly Command[] = [start, dev, indexChain, db, doctor, lite, replay, actions, help]
