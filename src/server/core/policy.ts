/**
 * Every number that decides when something is asked again, given up, forgotten or told, with its
 * reason. Names end with their unit: `Ms` are milliseconds. `npm run policy` prints this file as a
 * table, `docs/maintainers/policy.md`. Bounds of memory stand beside the memory.
 */
const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The numbers by subject. */
export const policy = {
  /** Whose clock is believed. */
  clocks: {
    /**
     * Our clock is wrong when it is this far ahead of the service's: the sweep repairs a day, and
     * more would end paid checkouts.
     */
    wrongFromMs: 25 * hourMs,
    /**
     * A difference between two clocks is reported from here on: no answer takes so long, and no
     * synchronised clock drifts so far.
     */
    reportedFromMs: 30 * secondMs,
    /** A change that is this much older by our clock than by the service's has the service's time. */
    behindFromMs: dayMs,
    /** A clock that stays wrong is reported again after this time. */
    reportedEveryMs: hourMs,
    /**
     * The clock behind the service's `Date` and the clock behind the times of its orders may be
     * this far apart.
     */
    windowMarginMs: secondMs,
    /**
     * Two clocks that differ more than this about the time between two requests: a person has set
     * one of them.
     */
    setFromMs: 10 * secondMs,
    /**
     * The windows of orders are never narrowed below this: clocks that agreed a moment ago may have
     * drifted.
     */
    leastMarginMs: 250,
    /** Fewer identified orders may agree by chance, so the windows stay wide. */
    leastKnownOrders: 20,
    /** The time zones of the world, in minutes ahead of UTC. */
    zonesMinutes: { least: -12 * 60, most: 14 * 60, step: 15 },
  },
  /** Which answer about an order counts. */
  answers: {
    /**
     * No answer is later than this. An earlier `Date` means that the service's clock was set back.
     */
    latestMs: 5 * minuteMs,
    /**
     * An answer may be this much older than an answer that was written before: lists may be copies.
     */
    behindOthersMs: minuteMs,
    /** A `Date` header has whole seconds. */
    dateStepMs: secondMs,
    /** A refund or a late deposit is held for this long: both are ways that orders go. */
    heldNewMs: minuteMs,
    /**
     * Any other step back is held for this long, longer than a quote lives: a payer who has paid is
     * not asked to pay again.
     */
    heldOldMs: 30 * minuteMs,
    /**
     * The least time that a step back is held where only the details or only the list can be read.
     */
    heldAloneMs: 10 * minuteMs,
    /** An order with a held answer is asked again at least this often. */
    heldLookEveryMs: 450 * secondMs,
    /** After a contradiction answers count again after this time: each note costs a write. */
    notedEveryMs: minuteMs,
    /** Answers that contradict each other for this long are reported. */
    disputedAfterMs: 10 * minuteMs,
  },
  /** How the order of a checkout is found. */
  search: {
    /** The searches for one checkout begin at least this far apart, however many browsers poll. */
    everyMs: 2_500,
    /** A search that expects nothing new may use a list of this age. */
    listAgeMs: 2_500,
    /** The list shows a new order within this time after the answer to its creation. */
    listedWithinMs: minuteMs,
    /** The service may still carry out a creation whose answer was lost this long ago. */
    lostUntilMs: 10 * minuteMs,
    /** Checkouts further apart than this cannot have confused orders. */
    comparedWithinMs: dayMs,
    /** `order_unresolved` is told after this time where no reading of the list is certain. */
    reportedAfterMs: 10 * minuteMs,
    /** Other processes wait this long with that report: the sender of the request knows more. */
    reportedByOthersAfterMs: 90 * secondMs,
    /** A search waits this long for details that fail. Then the list alone has to do. */
    detailsPatienceMs: minuteMs,
    /** Details that the service refuses are asked for again after this time. */
    detailsAgainAfterMs: minuteMs,
    /**
     * Steps of one count of equal orders. What is open then stays possible, and nothing is bound by
     * it.
     */
    mostSteps: 10_000,
    /** Steps of one question within such a count. */
    mostStepsOfOne: 2_000,
  },
  /** How the service is asked to create an order. */
  creation: {
    /** A creation without an answer fails after this time, unless the options say otherwise. */
    timeoutMs: 15 * secondMs,
    /** A browser waits this long for its payment panel, and then asks again. */
    patienceMs: 25 * secondMs,
    /**
     * The lease of a creation lasts this much longer than the timeout. After both, another server
     * takes over.
     */
    leaseSlackMs: 8 * secondMs,
    /** A lease of at most this age leaves enough time for all that a request waits for. */
    leaseFreshMs: 2 * secondMs,
    /**
     * The pause after a lost answer: longer than the doubt that a `Date` header leaves about the
     * time of an order.
     */
    afterLostMs: 4 * secondMs,
    /** Answers with the deposit of another checkout. Then the payer waits no longer. */
    mostShared: 3,
    /**
     * Orders that one checkout may create within `attemptsWithinMs`: unusable answers must come to
     * an end.
     */
    mostAttempts: 6,
    /** The time within which the attempts of a checkout are counted. */
    attemptsWithinMs: hourMs,
    /** A payer waits at most this long while an equal cart is created. */
    turnPatienceMs: 3 * secondMs,
    /** A waiting creation asks for its turn this often. */
    turnAskedEveryMs: 250,
    /** So many equal carts within `crowdWithinMs` are too many to take turns: none waits. */
    crowdSize: 8,
    /** The time within which equal carts are a crowd. */
    crowdWithinMs: 4 * secondMs,
    /** A turn whose process died ends after this time. */
    turnLeaseMs: 30 * secondMs,
    /**
     * A turn lasts this much longer than its request, or until the order is found: the next order
     * is later in any case.
     */
    turnSearchMs: 500,
    /** The pauses before each search for the new order. */
    searchDelaysMs: [0, 500, secondMs, 2 * secondMs, 4 * secondMs],
    /** The checkouts of one cart are counted within this time. */
    cartCountedForMs: hourMs,
  },
  /** How long a quote lives. */
  quote: {
    /**
     * A reading this much over 20 minutes still means 20: a `Date` header has whole seconds, and
     * the answer took a while.
     */
    slackMs: 2 * secondMs,
    /** A shorter reading is a time of creation, or has the wrong unit. */
    shortestMs: 10 * secondMs,
    /** A refusal of test addresses is answered again for this long without a new order. */
    testAddressMs: minuteMs,
  },
  /** How a poll of a browser is answered. */
  poll: {
    /** A poll waits this long for the service. Then the record answers. */
    patienceMs: 4 * secondMs,
    /** A look that was faster than this and brought nothing new does not read the cart again. */
    sameMomentMs: 500,
    /** A link to another device is valid for this long. */
    handoverMs: 20 * minuteMs,
    /** The details of one order are asked for at most this often. */
    askEveryMs: 2_500,
    /** The watcher leaves an order alone that polls have asked for within this time. */
    followedMs: 5 * secondMs,
    /**
     * Up to so many orders within `askEveryMs` are asked for one by one. More are read from the
     * list.
     */
    fewOrders: 3,
    /**
     * A poll waits this long for a reading of the list: less where an earlier reading has an
     * answer.
     */
    listPatienceMs: { answered: 50, unanswered: secondMs },
    /**
     * So many polls wait for a reading at a time. The records answer the others, so that a start
     * stays small in memory.
     */
    mostWaiting: 50,
    /** The list is preferred for this long after details that said nothing. */
    detailsUselessMs: minuteMs,
    /**
     * An order that the creation named and that the service has not known for this long is looked
     * for in the list.
     */
    unknownForMs: 3 * minuteMs,
    /** The list may have this age where it confirms a step back. */
    heldListAgeMs: 10 * secondMs,
    /** An order with less time left than this goes before others. */
    soonMs: 2 * minuteMs,
  },
  /** How the list of orders is read. */
  list: {
    /**
     * Readings for polls go back this far: longer than a quote lives, and as far as fresh looks go.
     */
    recentMs: 31 * minuteMs,
    /** A reading serves polls for this long. */
    freshMs: 2_500,
    /** An old reading answers for this long while a newer one is under way or has failed. */
    oldestMs: minuteMs,
    /**
     * Where other servers read, this server reads by itself this often: only the reader knows which
     * orders no page shows.
     */
    ownEveryMs: minuteMs,
    /** Such readings take at most this share of the time. */
    ownShare: 1 / 20,
    /** After a reading a server leaves the next to other servers for this long. */
    restMs: 3_700,
    /** A reading back to an old order serves for this long. */
    oldServesMs: minuteMs,
    /** Readings begin at least this far apart, and further the more pages they take. */
    leastPauseMs: secondMs,
    /** A reading that goes back no further is short, and goes on beside a long one. */
    shortMs: 40 * minuteMs,
    /** What a page showed is remembered for this long. */
    shownForMs: 10 * minuteMs,
    /** A reading that a refusal stopped is continued for this long. */
    continuedForMs: 10 * minuteMs,
    /**
     * A page that is refused or empty may be so by chance: so many readings have to say the same.
     */
    timesUntilBelieved: 2,
    /** An outage may last for some readings: so many have to say the same. */
    failuresUntilBelieved: 5,
    /** Pages of one reading: 100,000 orders, as a bound of memory. */
    mostPages: 1_000,
    /**
     * A reading goes further back than what is due only as long as it takes no more time than this.
     */
    longestReadingMs: 30 * secondMs,
    /** The number of pages of an earlier reading is relied on for this long. */
    learntForMs: hourMs,
  },
  /** When the watcher looks at a checkout. */
  look: {
    /** The pause between two looks is a tenth of the time without a change, and at least this. */
    shortestPauseMs: 5 * secondMs,
    /** The pause between two looks is at most this. */
    longestPauseMs: dayMs,
    /** The least pause for paid and ended checkouts. */
    afterwardsPauseMs: 30 * minuteMs,
    /** Paid checkouts are looked at for this long, because services reverse payments. */
    followPaidMs: 72 * hourMs,
    /** A deposit without an outcome is looked at for this long. */
    followSeenMs: 365 * dayMs,
    /**
     * A checkout that nobody paid is forgotten after this time. Paid checkouts and the ids of
     * orders stay.
     */
    keepUnpaidMs: 90 * dayMs,
    /** A checkout that waits for nothing is archived after this time. */
    archivedAfterMs: 30 * dayMs,
    /**
     * A checkout without an order is used no more from this age on: whoever began before has ended
     * when it is deleted.
     */
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
    /** Due checkouts of one queue that are read in one turn. */
    turnSize: { 'look fresh': 100, look: 100, 'look old': 50 },
    /** Occasional work (sweep, archive, orders without a checkout) is considered this often. */
    seldomMs: minuteMs,
    /**
     * Orders without a checkout are looked for this long after the start: looks at due checkouts
     * come first.
     */
    firstStraysMs: 5 * secondMs,
    /** `stop` waits no longer than this: most process managers kill after ten seconds. */
    stopMs: 8 * secondMs,
    /** A reading of the list serves the looks of a queue for this long. */
    servesMs: { 'look fresh': secondMs, look: 10 * secondMs, 'look old': 10 * secondMs },
    /** The share of the pages of a second that a queue may read. */
    shareOfPages: { 'look fresh': 1, look: 0.4, 'look old': 0.4 },
    /** A look waits this long for budget that nobody else wants. */
    givesWayMs: { 'look fresh': 200, look: Number.POSITIVE_INFINITY, 'look old': Number.POSITIVE_INFINITY },
    /**
     * Other servers leave the reading for fresh looks to the server that read last for this long.
     */
    nextFreshMs: 2 * secondMs,
    /**
     * `nobody_watches` is told when checkouts have waited for so many minutes, fewer in test mode.
     */
    unwatchedAfterMinutes: { test: 3, real: 10 },
    /** `nobody_watches` is told again after this time. */
    unwatchedToldEveryMs: hourMs,
  },
  /** How servers of one store share work. */
  turns: {
    /**
     * Other servers leave an order alone for this long. The turn is not renewed, so a server that
     * died delays the others by no more.
     */
    askMs: 2_500,
    /** A turn that nobody took again is removed from the store after this time. */
    removedAfterMs: minuteMs,
    /** A server that was refused the reading asks for it again after this time. */
    readAskedEveryMs: secondMs,
  },
  /** How webhooks are followed. */
  hints: {
    /** One order is looked at at most this often. */
    restMs: secondMs,
    /** The share of the budget that these looks may use: with 20 requests a second, four looks. */
    budgetShare: 0.2,
    /** Orders that wait for a look. More hints are dropped: the watcher finds the same. */
    mostWaiting: 100,
    /** Hints start a search for unknown orders at most this often. */
    searchEveryMs: 10 * secondMs,
    /** Checkouts that one such search is made for. */
    mostSearched: 20,
    /** Their greatest age: the list is read back to the oldest. */
    searchedForMs: 30 * minuteMs,
  },
  /** When orders that no checkout has are looked for. */
  strays: {
    /** Most orders are paid while their quote runs. */
    recent: { everyMs: 5 * minuteMs, backMs: 30 * minuteMs },
    /** Late payments. */
    old: { everyMs: hourMs, backMs: 72 * hourMs },
    /** Payments as late as an unpaid order is followed. */
    oldest: { everyMs: dayMs, backMs: 90 * dayMs },
    /** A look gives way to all other requests for this long. */
    givesWayMs: 10 * minuteMs,
    /** An interrupted look begins again after this time. */
    workMs: 5 * minuteMs,
    /** A younger order is not told: it may still be bound, or its creation be answered. */
    youngMs: { paid: 2 * minuteMs, unpaid: 10 * minuteMs },
    /** Unpaid orders without a checkout are told together, this often. */
    toldEveryMs: hourMs,
    /** Orders of one report, the newest first. The others are told later. */
    mostTold: 50,
  },
  /** When due times that a wrong clock has written are mended. */
  sweep: {
    /** A sweep begins this often. */
    everyMs: hourMs,
    /** An interrupted sweep begins again after this time. */
    workMs: 5 * minuteMs,
    /** A sweep reads the checkouts of this time. */
    backMs: 7 * dayMs,
    /**
     * The clocks of one shop differ by less than this. A due time that is further ahead is wrong.
     */
    slackMs: 5 * minuteMs,
  },
  /** How many requests the service gets. */
  budget: {
    /** A request that would wait longer is refused at once. */
    longestWaitMs: { creation: 3 * secondMs, soon: 10 * secondMs, other: 10 * secondMs },
    /** Requests that leave a second apart may arrive a little closer. */
    slack: 1.05,
    /** The limit may have changed after this time. */
    limitHoldsMs: secondMs,
    /** The share that is kept for creations, so that other requests never hold a payer up. */
    creationShare: 0.1,
    /** Where fewer requests a second are allowed, none is kept. */
    leastToShare: 5,
    /** Work that can wait asks for spare budget this often. */
    sparePauseMs: 50,
    /** A request that the store delayed too long is tried again after this time. */
    tooLateMs: 2 * secondMs,
  },
  /** When the service refuses. */
  pause: {
    /** The first pause after a refusal. Each further refusal doubles it. */
    firstMs: 2 * secondMs,
    /** The longest pause, whatever the service asks for. Then one request tries. */
    longestMs: 5 * minuteMs,
    /** Other requests come back after this time while that one request is under way. */
    whileTriedMs: 2 * secondMs,
    /** That one request is given up after this time. */
    triedForMs: minuteMs,
    /**
     * So many different requests that fail without an answer in between: the service is the cause,
     * and all pause.
     */
    failuresOfAll: 3,
    /** A request that fails so often in a row pauses alone. */
    failuresOfOne: 5,
    /** The longest pause of one request. */
    longestOfOneMs: minuteMs,
    /**
     * After a pause the refused request lets others go first for this long: it may be the cause.
     */
    othersFirstMs: { creation: 0, soon: 10 * secondMs, other: 10 * secondMs },
    /** The same for the list, for which all wait. */
    othersFirstOfListMs: secondMs,
    /** `service_held_off` is told when the service has refused for this long. */
    toldAfterMs: 2 * minuteMs,
    /** `service_held_off` is told again after this time. */
    toldEveryMs: hourMs,
  },
  /** How servers of one store share the budget. */
  sharing: {
    /** A server with requests reads and writes the record of all servers this often. */
    everyMs: secondMs,
    /** What a server asked for within this time is what it wants in the next second. */
    wantsOfMs: 2 * secondMs,
    /**
     * What was read holds for this long. Then requests wait up to as long again for the next
     * reading.
     */
    holdsMs: 3 * secondMs,
    /** A server that was silent for this long sends nothing, and others take its share. */
    silentMs: 4 * secondMs,
    /**
     * A server may send this part of the budget while others have not given up their shares, or the
     * store fails.
     */
    leastPart: 1 / 5,
    /** Another server that was heard of within this time may ask for the same orders. */
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
    /** The longest pause between two tries for one event. */
    longestPauseMs: hourMs,
    /** An event is given up after this time, and `givenUpAfterFailures`. */
    givenUpAfterMs: 7 * dayMs,
    /** With fewer failures, a clock that was set has made the seven days. */
    givenUpAfterFailures: 24,
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
  /** How long a process waits before it ends. */
  ending: {
    /** `settled` and `close` wait this long for work, and `close` once more for the store. */
    settleMs: minuteMs,
  },
} as const
