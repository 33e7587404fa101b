import { readFileSync } from 'node:fs'
import { startV2Localnet } from './support/v2Localnet.ts'
const root='/work/shared/fixtures/localnet/'
const idx=JSON.parse(readFileSync(root+'blocks/index.json','utf8'))
const txs=readFileSync(root+'transactions.jsonl','utf8').trim().split('\n').map(l=>JSON.parse(l))
const b64=(h:string)=>Buffer.from(h,'hex').toString('base64')
const signed=(s:string)=>BigInt.asIntN(64,BigInt('0x'+s)).toString()
const s=await startV2Localnet({checkResults:false}); const base=s.url+'/ton/api/v2'
const get=async(p:string,q:any)=>{const r=await fetch(base+'/'+p+'?'+new URLSearchParams(q));return await r.json() as any}
let bad=0,n=0; const fail=(...a:any[])=>{if(bad++<30)console.log(...a)}
const blocks=idx.blocks
console.log(Object.keys(blocks[5]), JSON.stringify(blocks[800]))
const byBlock=new Map<string,any[]>();for(const t of txs){byBlock.set(t.block,[...(byBlock.get(t.block)??[]),t])}
await Promise.all(Array.from({length:8},async(_,w)=>{for(let i=w;i<blocks.length;i+=8){const b=blocks[i];const q={workchain:b.workchain,shard:signed(b.shard)}
 const want=(r:any,what:string)=>{n++;if(!r.ok||r.result.root_hash!==b64(b.root_hash)||r.result.seqno!==b.seqno)fail(what,b.workchain,b.shard,b.seqno,JSON.stringify(r).slice(0,200))}
 want(await get('lookupBlock',{...q,seqno:b.seqno}),'seqno')
 const r1=await get('lookupBlock',{...q,lt:b.start_lt}); if(b.seqno>1) want(r1,'start_lt'); else n++
 const r2=await get('lookupBlock',{...q,lt:b.end_lt}); if(b.seqno>1) want(r2,'end_lt'); 
 const h=(await get('getBlockHeader',{...q,seqno:b.seqno})).result; n++
 if(!h||h.start_lt!==b.start_lt||h.end_lt!==b.end_lt||h.gen_utime!==b.gen_utime||h.id.file_hash!==b64(b.file_hash)) fail('header',b.workchain,b.shard,b.seqno,JSON.stringify(h).slice(0,300))
 const list=(await get('getBlockTransactions',{...q,seqno:b.seqno,count:1000})).result; const exp=(byBlock.get(`${b.workchain}_${b.shard}_${b.seqno}`)??[]).map(t=>t.account+t.lt+b64(t.hash)).sort().join(); n++
 const ours=list?.transactions.map((t:any)=>t.account+t.lt+t.hash).sort().join(); if(ours!==exp||list.incomplete) fail('list',b.workchain,b.shard,b.seqno,list)
 if(b.workchain===-1){const sh=await get('shards',{seqno:b.seqno});n++; const e=JSON.stringify(idx.masterchain_shards[b.seqno]??idx.masterchain_shards.find?.((x:any)=>x.seqno===b.seqno)); if(!sh.ok) fail('shards',b.seqno,sh,e)}
 }}))
console.log('blocks done',n,'bad',bad)
// locate every internal message both ways
let m=0; const internal=txs.filter(t=>t.in_msg?.type==='internal')
await Promise.all(Array.from({length:8},async(_,w)=>{for(let i=w;i<internal.length;i+=8){const t=internal[i];const q={source:t.in_msg.src,destination:t.in_msg.dest,created_lt:t.in_msg.created_lt}; const r=await get('tryLocateResultTx',q);m++
 if(r.result?.transaction_id?.hash!==b64(t.hash)) fail('result',JSON.stringify(q),JSON.stringify(r).slice(0,200),t.hash)
 const src=txs.find(x=>x.account===t.in_msg.src&&x.out_msgs.some((o:any)=>o.created_lt===t.in_msg.created_lt&&o.dest===t.in_msg.dest)); if(src){const r=await get('tryLocateSourceTx',q);m++; if(r.result?.transaction_id?.hash!==b64(src.hash)) fail('source',JSON.stringify(q),JSON.stringify(r).slice(0,200),src.hash)}
}}))
console.log('located',m,'bad',bad)
await s.close()
