import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.iwebpp.crypto.TweetNaclFast;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.ton.ton4j.address.Address;
import org.ton.ton4j.adnl.AdnlLiteClient;
import org.ton.ton4j.mnemonic.Mnemonic;
import org.ton.ton4j.smartcontract.SendResponse;
import org.ton.ton4j.smartcontract.types.WalletV4R2Config;
import org.ton.ton4j.smartcontract.wallet.v4.WalletV4R2;
import org.ton.ton4j.tl.liteserver.responses.BlockIdExt;
import org.ton.ton4j.tl.liteserver.responses.RunMethodResult;
import org.ton.ton4j.tlb.VmStackValueInt;
import org.ton.ton4j.toncenter.TonCenter;

/** ton4j: its client of v2, and its client of the liteserver. */
public class Ton4jChecks {
  interface Check {
    void run() throws Throwable;
  }

  static final String COMMENT = "for the tea";
  static final int WALLET_ID = 698983191;
  static final long SHARD = Long.MIN_VALUE;
  static JsonObject network;
  static TonCenter http;
  static AdnlLiteClient lite;

  public static void main(String[] args) throws Exception {
    network = JsonParser.parseString(Files.readString(Path.of(System.getenv("CLIENT_NETWORK")))).getAsJsonObject();
    http = TonCenter.builder().endpoint(text("v2")).build();
    lite = AdnlLiteClient.builder().configPath(text("config")).liteServerIndex(0).build();

    check("the newest block, its header, signatures, shards and proofs (v2)", Ton4jChecks::blocks);
    check("transactions of a block (v2)", Ton4jChecks::blockTransactions);
    check("account states, and addresses in all forms (v2)", Ton4jChecks::accounts);
    check("a wallet is deployed and pays with a comment (v2)", () -> pay("wallet", true));
    check("transactions of an account, and both ends of a message (v2)", Ton4jChecks::history);
    check("transactions of an account by getTransactionsStd (v2)", Ton4jChecks::standardHistory);
    check("get-methods, and the data of a jetton (v2)", Ton4jChecks::methods);
    check("fees of a message (v2)", Ton4jChecks::fees);
    check("the configuration, libraries and queues (v2)", Ton4jChecks::config);
    check("refusals arrive as such (v2)", Ton4jChecks::refusals);
    check("blocks, shards and transactions of a block (liteserver)", Ton4jChecks::liteBlocks);
    check("account states and get-methods (liteserver)", Ton4jChecks::liteAccounts);
    check("the configuration (liteserver)", Ton4jChecks::liteConfig);
    check("a wallet is deployed and pays with a comment (liteserver)", () -> pay("wallet2", false));
    check("transactions of an account (liteserver)", Ton4jChecks::liteHistory);
    System.exit(0);
  }

  static void check(String name, Check check) {
    try {
      check.run();
      System.out.println("check\tpassed\t" + name);
    } catch (Throwable failure) {
      System.out.println("check\tfailed\t" + name + "\t" + String.valueOf(failure).replaceAll("\\s+", " "));
    }
    System.out.flush();
  }

  static String text(String name) {
    return network.get(name).getAsString();
  }

  static void expect(boolean condition, String what) {
    if (!condition) throw new AssertionError(what);
  }

  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    for (int k = 0; k < 200; k++) {
      if (condition.getAsBoolean()) return;
      Thread.sleep(300);
    }
    throw new AssertionError("waited in vain for " + what);
  }

  static long head() {
    return http.getMasterchainInfo().getResult().getLast().getSeqno();
  }

  static void blocks() {
    long seqno = head();
    var header = http.getBlockHeader(-1, SHARD, seqno).getResult();
    expect(header.getId().getSeqno() == seqno, "the header is of " + header.getId());
    expect(http.lookupBlockBySeqno(-1, SHARD, seqno).getResult().getRootHash().equals(header.getId().getRootHash()), "by seqno");
    expect(http.lookupBlockByLt(-1, SHARD, header.getStartLt()).getResult().getSeqno() == seqno, "by lt");
    expect(http.lookupBlockByUnixtime(-1, SHARD, header.getGenUtime()).getResult().getSeqno() <= seqno, "by time");
    expect(http.getMasterchainBlockSignatures(seqno).getResult().getSignatures().size() > 0, "signatures");
    expect(http.getConsensusBlock().getResult().getConsensusBlock() >= seqno, "the consensus block");
    var shard = http.getShards(seqno).getResult().getShards().get(0);
    expect(http.getShardBlockProof(0, SHARD, shard.getSeqno()).isSuccess(), "the proof");
  }

  static void blockTransactions() {
    long seqno = head();
    int count = http.getBlockTransactions(-1, SHARD, seqno).getResult().getTransactions().size();
    expect(count > 0, "no transactions");
    var full = http.getBlockTransactionsExt(-1, SHARD, seqno, null, null, null, null, 10).getResult();
    expect(full.getTransactions().size() == count, full.getTransactions().size() + " transactions");
  }

  static void accounts() {
    String elector = text("elector");
    expect(http.getState(elector).equals("active"), "the state");
    expect(http.getBalance(elector).signum() > 0, "the balance");
    expect(http.getAddressInformation(elector).getResult().getCode().length() > 0, "the code");
    expect(http.getExtendedAddressInformation(elector).isSuccess(), "the extended information");
    expect(http.getState(text("nobody")).equals("uninitialized"), "the state of nobody");
    String raw = http.unpackAddress(text("receiver")).getResult();
    expect(new Address(http.packAddress(raw).getResult()).equals(new Address(text("receiver"))), "the packed address");
    expect(http.detectAddress(raw).getResult().getRawForm().equalsIgnoreCase(raw), "the raw form");
  }

  static WalletV4R2 wallet(String which, boolean overHttp) throws Exception {
    String words = network.getAsJsonObject(which).get("mnemonic").getAsString();
    byte[] seed = Mnemonic.toKeyPair(Arrays.asList(words.split(" "))).getSecretKey();
    var builder = WalletV4R2.builder().keyPair(TweetNaclFast.Signature.keyPair_fromSeed(seed)).walletId(WALLET_ID);
    return overHttp ? builder.tonCenterClient(http).build() : builder.adnlLiteClient(lite).build();
  }

  static void pay(String which, boolean overHttp) throws Throwable {
    WalletV4R2 wallet = wallet(which, overHttp);
    Address own = new Address(network.getAsJsonObject(which).get("address").getAsString());
    expect(wallet.getAddress().equals(own), "the wallet is " + wallet.getAddress());
    SendResponse deployed = wallet.deploy();
    expect(deployed.getCode() == 0, "deployment: " + deployed.getMessage());
    until("the wallet", wallet::isDeployed);
    until("its seqno", () -> wallet.getSeqno() == 1);
    Address receiver = new Address(network.getAsJsonObject("receivers").get(which).getAsString());
    WalletV4R2Config payment =
        WalletV4R2Config.builder()
            .walletId(WALLET_ID)
            .seqno(wallet.getSeqno())
            .destination(receiver)
            .bounce(false)
            .mode(3)
            .amount(BigInteger.TEN.pow(9))
            .comment(COMMENT)
            .build();
    SendResponse sent = wallet.send(payment);
    expect(sent.getCode() == 0, "payment: " + sent.getMessage());
    until("the payment", () -> wallet.getSeqno() == 2);
    until("the delivery", () -> balanceOf(receiver, overHttp).equals(BigInteger.TEN.pow(9)));
    expect(wallet.getWalletId() == WALLET_ID, "the wallet id is " + wallet.getWalletId());
    expect(Arrays.equals(wallet.getPublicKey(), wallet.getKeyPair().getPublicKey()), "the public key");
  }

  static BigInteger balanceOf(Address address, boolean overHttp) {
    try {
      return overHttp ? http.getBalance(address.toBounceable()) : lite.getBalance(address);
    } catch (Throwable missing) {
      return BigInteger.ZERO;
    }
  }

  static void history() {
    var own = http.getTransactions(network.getAsJsonObject("wallet").get("address").getAsString(), 10).getResult();
    expect(own.size() == 3, own.size() + " transactions of the wallet");
    var received = http.getTransactions(text("receiver"), 10).getResult();
    expect(received.size() == 1, received.size() + " transactions of the receiver");
    expect(received.get(0).getInMsg().getMessage().equals(COMMENT), "the comment is " + received.get(0).getInMsg().getMessage());
    var message = own.get(0).getOutMsgs().get(0);
    long lt = Long.parseLong(message.getCreatedLt());
    expect(http.tryLocateTx(message.getSource(), message.getDestination(), lt).isSuccess(), "the transaction");
    expect(http.tryLocateResultTx(message.getSource(), message.getDestination(), lt).isSuccess(), "the end");
    expect(http.tryLocateSourceTx(message.getSource(), message.getDestination(), lt).isSuccess(), "the beginning");
  }

  static void standardHistory() {
    expect(http.getTransactionsStd(text("receiver"), 10, null, null, null, null).isSuccess(), "the list of transactions");
  }

  static void methods() {
    String wallet = network.getAsJsonObject("wallet").get("address").getAsString();
    expect(http.getSeqno(wallet) == 2, "the seqno");
    expect(http.getSubWalletId(wallet) == WALLET_ID, "the wallet id");
    var result = http.runGetMethod(text("echo"), "echo", List.of(List.<Object>of("num", "-5"))).getResult();
    expect(result.getStack().get(0).get(1).equals("-0x5"), "the number is " + result.getStack());
    expect(http.getJettonData(text("jetton")).getTotalSupply().signum() > 0, "the supply");
    Address tokens = http.getJettonWalletAddress(text("jetton"), text("owner"));
    expect(http.getTokenData(tokens.toBounceable()).isSuccess(), "the data of the jetton wallet");
    expect(http.getWalletInformation(wallet).isSuccess(), "the wallet");
  }

  static void fees() {
    JsonObject message = network.getAsJsonObject("estimate");
    var fees = http.estimateFee(message.get("address").getAsString(), message.getAsJsonArray("bodies").get(2).getAsString()).getResult();
    expect(fees.getSourceFees().getGasFee() > 0, "the gas fee is " + fees.getSourceFees());
  }

  static void config() {
    expect(http.getConfigParam(8).isSuccess(), "a parameter");
    expect(http.getConfigAll().isSuccess(), "all parameters");
    expect(http.getLibraries(List.of("01".repeat(32))).isSuccess(), "libraries");
    expect(http.getOutMsgQueueSize().getResult().getShards().size() == 2, "queues");
  }

  static void refusals() {
    var missing = http.runGetMethod(text("jetton"), "no_such_method", List.of()).getResult();
    expect(missing.getExitCode() == 11, "the exit code is " + missing.getExitCode());
    try {
      http.getBalance("nonsense");
    } catch (Throwable refusal) {
      return;
    }
    throw new AssertionError("the address was not refused");
  }

  static void liteBlocks() throws Exception {
    BlockIdExt last = lite.getMasterchainInfo().getLast();
    expect(lite.getBlock(last).getBlock().getBlockInfo().getSeqno() == last.getSeqno(), "the block");
    expect(lite.getBlockHeader(last, 1).getId().getSeqno() == last.getSeqno(), "the header");
    expect(lite.getAllShardsInfo(last).getShards().size() == 1, "the shards");
    expect(lite.listBlockTransactions(last, 7, 10, null).getTransactionIds().size() > 0, "the transactions");
    expect(lite.listBlockTransactionsExt(last, 0, 10, null, false, false).getTransactionsParsed().size() > 0, "whole transactions");
    expect(lite.getTime().getNow() > 0 && lite.getVersion().getVersion() > 0, "time and version");
  }

  static void liteAccounts() throws Exception {
    Address elector = new Address(text("elector"));
    expect(lite.getBalance(elector).signum() > 0, "the balance");
    expect(lite.isDeployed(elector), "the state");
    RunMethodResult result =
        lite.runMethod(new Address(text("echo")), "echo", VmStackValueInt.builder().value(BigInteger.valueOf(-5)).build());
    expect(result.getExitCode() == 0, "the exit code is " + result.getExitCode());
    expect(result.getIntByIndex(0).intValue() == -5, "the number is " + result.getIntByIndex(0));
    expect(lite.runMethod(new Address(text("jetton")), "no_such_method").getExitCode() == 11, "a method that is missing");
  }

  static void liteConfig() throws Exception {
    expect(lite.getConfigAll(lite.getMasterchainInfo().getLast(), 0).getConfigParams() != null, "all parameters");
    expect(lite.getConfigParam8().getGlobalVersion() != null, "a parameter");
  }

  static void liteHistory() throws Exception {
    Address own = new Address(network.getAsJsonObject("wallet2").get("address").getAsString());
    var list = lite.getTransactions(own, 0, null, 10).getTransactionsParsed();
    expect(list.size() == 3, list.size() + " transactions");
  }
}
