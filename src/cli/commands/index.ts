import type { Command } from '../Command.ts'
import { actions } from './actions.ts'
import { call } from './call.ts'
import { db } from './db.ts'
import { dev } from './dev.ts'
import { doctor } from './doctor.ts'
import { help } from './help.ts'
import { indexChain } from './indexChain.ts'
import { inspect } from './inspect.ts'
import { keys } from './keys.ts'
import { lite } from './lite.ts'
import { replay } from './replay.ts'
import { serve } from './serve.ts'
import { start } from './start.ts'

/** Every command, in the order in which help shows them. */
export const commands: readonly Command[] = [
  start,
  dev,
  serve,
  indexChain,
  db,
  keys,
  doctor,
  call,
  inspect,
  lite,
  replay,
  actions,
  help,
]
