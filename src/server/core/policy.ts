/**
 * Every number that decides when work is repeated, given up, forgotten or reported, as `npm run
 * policy` prints it to `docs/maintainers/policy.md`. Bounds of memory stand beside the memory.
 */
const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Unpaid checkouts and orders without a checkout are followed equally long. */
const followUnpaidMs = 90 * dayMs

/** The numbers by subject. */
export const policy = {
  /** Whose clock is believed. */
  clocks: {
    /** The service's time is used where our clock is this far ahead and would end checkouts. */
    wrongFromMs: 25 * hourMs,
    /** Clocks that differ by this much are reported: neither an answer nor drift explains it. */
    reportedFromMs: 30 * secondMs,
    /** A change that our clock dates this much too early gets the time of the service's clock. */
    behindFromMs: dayMs,
    /** A clock that stays wrong is reported again after this time. */
    reportedEveryMs: hourMs,
    /** The clock of the service's `Date` and the clock of its orders may be this far apart. */
    windowMarginMs: secondMs,
    /** Clocks disagree by this much about a span of time only if a person has set one of them. */
    setFromMs: 10 * secondMs,
    /** The time zones of the world, in minutes ahead of UTC. */
    zonesMinutes: { least: -12 * 60, most: 14 * 60, step: 15 },
  },
  /** Which answer about an order counts. */
  answers: {
    /** No answer arrives later. An older `Date` means that the service's clock was set back. */
    latestMs: 5 * minuteMs,
    /** An answer may be this much older than an earlier answer, because lists may be copies. */
    behindOthersMs: minuteMs,
    /** A `Date` header has whole seconds. */
    dateStepMs: secondMs,
    /** A refund or a late deposit is held for this long: both happen to real orders. */
    heldNewMs: minuteMs,
    /** Any other step back is held longer than a quote lives: a payer is not asked to pay twice. */
    heldOldMs: 30 * minuteMs,
    /** The least time that a step back is held while details or list cannot be read. */
    heldAloneMs: 10 * minuteMs,
    /** An order with a held answer is read again at least this often. */
    heldLookEveryMs: 450 * secondMs,
    /** After a contradiction answers are noted at most this often: each note costs a write. */
    notedEveryMs: minuteMs,
    /** Answers that contradict each other for this long are reported. */
    disputedAfterMs: 10 * minuteMs,
  },
  /** How the order of a checkout is found. */
  search: {
    /** Searches for one checkout begin at least this far apart, however many browsers poll. */
    everyMs: 2_500,
    /** A search that expects nothing new may use a list of this age. */
    listAgeMs: 2_500,
    /** The list shows a new order within this time after the answer to its creation. */
    listedWithinMs: minuteMs,
    /** The service may still carry out a creation whose answer was lost this long ago. */
    lostUntilMs: 10 * minuteMs,
    /** Checkouts further apart than this cannot have confused orders. */
    comparedWithinMs: dayMs,
    /** `order_unresolved` is reported after this time if no reading of the list is certain. */
    reportedAfterMs: 10 * minuteMs,
    /** A search waits this long for details that fail, and then uses the list alone. */
    detailsPatienceMs: minuteMs,
    /** Details that the service refuses are asked for again after this time. */
    detailsAgainAfterMs: minuteMs,
    /** One count of equal orders takes at most so many steps; undecided orders stay unbound. */
    mostSteps: 10_000,
    /** One question within such a count takes at most so many steps. */
    mostStepsOfOne: 2_000,
  },
  /** How the service is asked to create an order. */
  creation: {
    /** A creation without an answer fails after this time, unless the options say otherwise. */
    timeoutMs: 15 * secondMs,
    /** The merchant's `offer` fails after this time: a browser shows nothing before it. */
    offerMs: 15 * secondMs,
    /** A browser waits this long for its payment panel, and then asks again. */
    patienceMs: 25 * secondMs,
    /** A creation's lease outlasts its timeout by this much; then another server takes over. */
    leaseSlackMs: 8 * secondMs,
    /** A lease up to this age leaves enough time for everything that a request waits for. */
    leaseFreshMs: 2 * secondMs,
    /** The pause after a lost answer: longer than the uncertainty of a `Date` header. */
    afterLostMs: 4 * secondMs,
    /** After so many answers with the deposit of another checkout the payer waits no longer. */
    mostShared: 3,
    /** One checkout creates at most so many orders within `attemptsWithinMs`, usable or not. */
    mostAttempts: 6,
    /** The time within which the attempts of a checkout are counted. */
    attemptsWithinMs: hourMs,
    /** The same for answers with another's deposit: gateways keep an answer for a minute. */
    sharedWithinMs: 2 * minuteMs,
    /** A payer waits at most this long while an equal cart is created. */
    turnPatienceMs: 6 * secondMs,
    /** A waiting creation asks for its turn this often. */
    turnAskedEveryMs: 250,
    /** Once so many equal carts wait in a process, none waits until none has come for 6 s. */
    mostWaiting: 6,
    /** A turn begins with a reading of the list if an equal checkout or request is younger than this. */
    turnReadsWithinMs: minuteMs,
    /** A payer waits at most this long for that reading. */
    turnReadMs: 1_500,
    /** A turn whose process died ends after this time. */
    turnLeaseMs: 30 * secondMs,
    /** A turn outlasts its request by this much, unless the order is found before. */
    turnSearchMs: 500,
    /** The pauses before each search for the new order. */
    searchDelaysMs: [0, 500, secondMs, 2 * secondMs, 4 * secondMs],
    /** The checkouts of one cart are counted within this time. */
    cartCountedForMs: hourMs,
  },
  /** How long a quote lives. */
  quote: {
    /** A cart lapses this long after its last quote: exchanges take half an hour to send. */
    lapsesAfterMs: hourMs,
    /** An expiry this much over 20 minutes still means 20: a `Date` has whole seconds. */
    slackMs: 2 * secondMs,
    /** A shorter quote is a misread time: that of the creation, or one in another unit. */
    shortestMs: 10 * secondMs,
    /** A refusal of test addresses is repeated for this long without a new order. */
    testAddressMs: minuteMs,
  },
  /** How a poll of a browser is answered. */
  poll: {
    /** A poll waits this long for the service, and then answers from the record. */
    patienceMs: 4 * secondMs,
    /** A look that was faster than this and found nothing new does not read the cart again. */
    sameMomentMs: 500,
    /** A poll looks at earlier quotes of its cart, too, until this long after their end. */
    earlierForMs: 2 * hourMs,
    /** The latest so many of these quotes: each look is a request to the service. */
    earlierQuotes: 5,
    /** A link to another device is valid for this long. */
    handoverMs: 20 * minuteMs,
    /** The details of one order are read at most this often. */
    askEveryMs: 2_500,
    /** The watcher skips an order that a poll has read within this time. */
    followedMs: 5 * secondMs,
    /** Of so many payments that the list shows at once the details are read first. */
    mostDetails: 10,
    /** Up to so many orders within `askEveryMs` are read one by one, more from the list. */
    fewOrders: 3,
    /** A poll waits this long for a reading of the list, less if an earlier one has an answer. */
    listPatienceMs: { answered: 50, unanswered: secondMs },
    /** So many polls wait for a reading; records answer the others, which bounds memory. */
    mostWaiting: 50,
    /** The list is preferred for this long after details that said nothing. */
    detailsUselessMs: minuteMs,
    /** The list is searched for an order that the service has not known for this long. */
    unknownForMs: 3 * minuteMs,
    /** The list may have this age where it confirms a step back. */
    heldListAgeMs: 10 * secondMs,
    /** An order with less time left than this is read before others. */
    soonMs: 2 * minuteMs,
  },
  /** How the list of orders is read. */
  list: {
    /** Readings may take this part of the budget; one request in five is left for single orders. */
    budgetPart: 0.8,
    /** A reading for polls goes back this far: enough for a quote and for fresh looks. */
    recentMs: 31 * minuteMs,
    /** A reading serves polls for this long. */
    freshMs: 2_500,
    /** An old reading answers for this long while a newer one is under way or has failed. */
    oldestMs: minuteMs,
    /** A server reads by itself this often: only the reader learns which orders are missing. */
    ownEveryMs: minuteMs,
    /** These own readings take at most this share of the time. */
    ownShare: 1 / 20,
    /** After a reading a server leaves the next reading to other servers for this long. */
    restMs: 3_700,
    /** A reading back to an old order serves for this long. */
    oldServesMs: minuteMs,
    /** Readings begin at least this far apart, and further apart the more pages they take. */
    leastPauseMs: secondMs,
    /** A reading that goes back at most this far is short, and may run beside a long reading. */
    shortMs: 40 * minuteMs,
    /** What a page showed is remembered for this long. */
    shownForMs: 10 * minuteMs,
    /** A reading that a refusal stopped is continued for this long. */
    continuedForMs: 10 * minuteMs,
    /** So many readings must agree that a page is refused or empty: once may be chance. */
    timesUntilBelieved: 2,
    /** So many readings must agree where an outage may be the cause. */
    failuresUntilBelieved: 5,
    /** One reading takes at most so many pages, which are 100,000 orders, to bound memory. */
    mostPages: 1_000,
    /** A reading goes further back than what is due only if it takes no longer than this. */
    longestReadingMs: 30 * secondMs,
    /** The number of pages of an earlier reading is relied on for this long. */
    learntForMs: hourMs,
  },
  /** When the watcher looks at a checkout. */
  look: {
    /** The pause between two looks is this part of the time without a change. */
    pausePart: 1 / 10,
    /** Pauses are up to this part longer, so that checkouts of one moment do not stay together. */
    spreadPart: 1 / 5,
    /** The least pause between two looks. */
    shortestPauseMs: 5 * secondMs,
    /** The longest pause between two looks, without the spread. */
    longestPauseMs: dayMs,
    /** The least pause for paid and ended checkouts. */
    afterwardsPauseMs: 30 * minuteMs,
    /** Paid checkouts are looked at for this long, because services reverse payments. */
    followPaidMs: 72 * hourMs,
    /** A deposit without an outcome is looked at for this long. */
    followSeenMs: 365 * dayMs,
    /** An unpaid checkout is forgotten after this time; paid checkouts and ids of orders stay. */
    keepUnpaidMs: followUnpaidMs,
    /** A checkout that waits for nothing is archived after this time. */
    archivedAfterMs: 30 * dayMs,
    /** A checkout without an order is not used from this age on, well before it is deleted. */
    unusedAfterMs: 29 * dayMs,
    /** A look that failed is repeated after at most this time. */
    longestRetryMs: 2 * minuteMs,
    /** Up to this time after a change a payer may be waiting: the queue `look fresh`. */
    freshForMs: 30 * minuteMs,
    /** Up to this time people may ask about their order: the queue `look`. */
    recentForMs: dayMs,
    /** The watcher looks for due work this often. */
    tickMs: secondMs,
    /** One round ends after this time: less than the minute of a scheduled job. */
    roundMs: 45 * secondMs,
    /** So many due checkouts of one queue are read in one batch. */
    batchSize: { 'look fresh': 100, look: 100, 'look old': 50 },
    /** Seldom work (sweep, archive, orders without a checkout) is considered this often. */
    seldomMs: minuteMs,
    /** Orders without a checkout are sought this long after the start: due looks come first. */
    firstStraysMs: 5 * secondMs,
    /** `stop` waits no longer than this: most process managers kill after ten seconds. */
    stopMs: 8 * secondMs,
    /** A reading of the list serves the looks of a queue for this long. */
    servesMs: { 'look fresh': secondMs, look: 10 * secondMs, 'look old': 10 * secondMs },
    /** A queue may read this share of the pages of a second. */
    shareOfPages: { 'look fresh': 1, look: 0.4, 'look old': 0.4 },
    /** A look waits this long for budget that nobody else wants. */
    givesWayMs: { 'look fresh': 200, look: Number.POSITIVE_INFINITY, 'look old': Number.POSITIVE_INFINITY },
    /** The server that read last keeps the reading for fresh looks for this long. */
    nextFreshMs: 2 * secondMs,
    /** `nobody_watches` is reported once checkouts have waited this long, less in test mode. */
    unwatchedAfterMinutes: { test: 3, real: 10 },
    /** `nobody_watches` is reported again after this time. */
    unwatchedToldEveryMs: hourMs,
  },
  /** How servers of one store share work. */
  turns: {
    /** Other servers leave an order alone for this long, even if its server has died. */
    askMs: 2_500,
    /** A turn that no server took again is removed from the store after this time. */
    removedAfterMs: minuteMs,
    /** A server that did not get the turn to read the list tries again after this time. */
    readAskedEveryMs: secondMs,
  },
  /** How webhooks are followed. */
  hints: {
    /** One order is looked at because of webhooks at most this often. */
    restMs: secondMs,
    /** These looks may use this share of the budget: of 20 requests a second, four. */
    budgetShare: 0.2,
    /** So many orders wait for a look; further hints are dropped: the watcher finds the same. */
    mostWaiting: 100,
    /** Hints start a search for unknown orders at most this often. */
    searchEveryMs: 10 * secondMs,
    /** One such search covers at most so many checkouts. */
    mostSearched: 20,
    /** One such search covers checkouts up to this age: the list is read back to the oldest. */
    searchedForMs: 30 * minuteMs,
  },
  /** When orders that no checkout has are looked for. */
  strays: {
    /** Most orders are paid while their quote runs. */
    recent: { everyMs: 5 * minuteMs, backMs: 30 * minuteMs },
    /** Late payments are found this often, this far back. */
    old: { everyMs: hourMs, backMs: 72 * hourMs },
    /** Unpaid orders are followed this far back, so later payments are sought as far. */
    oldest: { everyMs: dayMs, backMs: followUnpaidMs },
    /** A look gives way to all other requests for up to this long. */
    givesWayMs: 10 * minuteMs,
    /** An interrupted look begins again after this time. */
    workMs: 5 * minuteMs,
    /** A younger order is not reported: it may still be bound, or its creation answered. */
    youngMs: { paid: 2 * minuteMs, unpaid: 10 * minuteMs },
    /** Orders without a checkout are reported together, paid and unpaid ones apart, this often. */
    toldEveryMs: hourMs,
    /** One report has at most so many orders, the newest first; later reports have the others. */
    mostTold: 50,
  },
  /** When due times that a wrong clock has written are mended. */
  sweep: {
    /** A sweep begins this often. */
    everyMs: hourMs,
    /** An interrupted sweep begins again after this time. */
    workMs: 5 * minuteMs,
    /** A sweep reads the checkouts of this last stretch of time. */
    backMs: 7 * dayMs,
    /** The clocks of one shop differ by less than this, so a due time further ahead is wrong. */
    slackMs: 5 * minuteMs,
  },
  /** How many requests the service gets. */
  budget: {
    /** A request that would wait longer is refused at once. */
    longestWaitMs: { creation: 3 * secondMs, soon: 10 * secondMs, other: 10 * secondMs },
    /** Requests that leave a second apart may arrive slightly closer together. */
    slack: 1.05,
    /** The limit is read again after this time, because it may have changed. */
    limitHoldsMs: secondMs,
    /** This share is kept for creations, so that other requests never delay a payer. */
    creationShare: 0.1,
    /** Below so many requests a second no share is kept. */
    leastToShare: 5,
    /** Work that can wait asks for spare budget this often. */
    sparePauseMs: 50,
    /** A request that the store delayed too long is tried again after this time. */
    tooLateMs: 2 * secondMs,
  },
  /** When the service refuses. */
  pause: {
    /** The first pause after a refusal; each further refusal doubles it. */
    firstMs: 2 * secondMs,
    /** The longest pause, whatever the service asks for; then one trial request is sent. */
    longestMs: 5 * minuteMs,
    /** While the trial request is under way, other requests come back after this time. */
    whileTriedMs: 2 * secondMs,
    /** The trial request is given up after this time. */
    triedForMs: minuteMs,
    /** After so many different failed requests in a row the service is the cause: all pause. */
    failuresOfAll: 3,
    /** A request that fails so many times in a row pauses alone. */
    failuresOfOne: 5,
    /** The longest pause of one request. */
    longestOfOneMs: minuteMs,
    /** The refused request may be the cause: after a pause it waits this much longer. */
    othersFirstMs: { creation: 0, soon: 10 * secondMs, other: 10 * secondMs },
    /** The same for the list, which must not wait long because all depend on it. */
    othersFirstOfListMs: secondMs,
    /** `service_held_off` is reported when the service has refused for this long. */
    toldAfterMs: 2 * minuteMs,
    /** `service_held_off` is reported again after this time. */
    toldEveryMs: hourMs,
  },
  /** How servers of one store share the budget. */
  sharing: {
    /** A server with requests reads and writes the record of all servers this often. */
    everyMs: secondMs,
    /** A server's need is estimated from its requests within this time. */
    wantsOfMs: 2 * secondMs,
    /** A server acts on its last reading for this long. Then requests wait as long for a new one. */
    holdsMs: 3 * secondMs,
    /** A server that was silent for this long sends nothing, and others take its share. */
    silentMs: 4 * secondMs,
    /** A server may send this part of the budget until others give up shares. */
    leastPart: 1 / 5,
    /** Another server that was heard of within this time may need the same orders. */
    companyMs: 10 * minuteMs,
    /** When a pause ends, the refused server tries this much earlier than the others. */
    afterYouMs: 2 * secondMs,
  },
  /** How a change is delivered to the merchant's code. */
  tell: {
    /** Calls at the same time: so many for new events, and as many for events that failed before. */
    mostAtOnce: 10,
    /** An event that another process delivers, or that the store refused, rests for this long. */
    restMs: secondMs,
    /** A scheduled job waits this long for deliveries. */
    patienceMs: minuteMs,
    /** The first pause between two tries for one event. Each failure doubles it. */
    firstPauseMs: secondMs,
    /** The longest pause between two tries for one event. */
    longestPauseMs: hourMs,
    /** An event is given up after so many failures: seven days of tries, whatever a clock says. */
    givenUpAfterFailures: 180,
    /** The announcement that a process has a callback holds for as long as events are delivered. */
    announcedForMs: 7 * dayMs,
    /** A process with a callback announces it this often. */
    announcedEveryMs: hourMs,
    /** A process with `onStatusChange: null` looks for the announcement this often. */
    announcementReadEveryMs: minuteMs,
    /** An event that has waited for this long is reported; in test mode a developer waits, too. */
    undeliveredAfterMs: { test: minuteMs, real: 5 * minuteMs },
    /** The same report is made at most this often. */
    reportedEveryMs: hourMs,
  },
  /** Payment links. */
  links: {
    /** The link to pay an amount that somebody has typed is valid for this long. */
    typedMs: dayMs,
    /** A browser keeps the cookie of a link for this long after it last opened the page. */
    cookieMs: 7 * dayMs,
  },
  /** How long a process waits before it ends. */
  ending: {
    /** `settled` and `close` wait this long for work, and `close` once more for the store. */
    settleMs: minuteMs,
  },
} as const
