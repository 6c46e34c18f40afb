import type { DomainSlug } from './domains.ts';

/** The domains that can be recognised by their words: all but `other`, the domain of items that fit no other. */
export type NamedDomain = Exclude<DomainSlug, 'other'>;

/** Makes that appear in titles of whole vehicles and of their parts. */
const vehicleMakes = `Volvo, Saab, Volkswagen, VW, Audi, BMW, Mercedes, Ford, Opel, Toyota, Nissan, Skoda, Seat, Kia, Hyundai, Mazda, Honda,
  Renault, Peugeot, Citroën, Fiat, Tesla, Subaru, Mitsubishi, Suzuki, Yamaha, Kawasaki, Harley Davidson, Husqvarna, Scania, Polaris, Puch`;

/**
 * Names of the categories below each domain on marketplaces, in Swedish and English, with typical words of their titles. The
 * embedded classifier learns from these words only. The most specific words come first.
 */
export const domainWords: Readonly<Record<NamedDomain, readonly string[]>> = {
  auto_parts:
    list(`bildelar, reservdelar, car parts, spare parts, motordelar, karossdelar, bromsar, bromsskiva, bromsskivor, bromsok,
    bromsbelägg, strålkastare, bakljus, baklykta, blinkers, startmotor, generator, växellåda, koppling, kamrem, drivrem, kilrem, variator,
    topplock, förgasare, insugsrör, turbo, avgassystem, ljuddämpare, katalysator, stötdämpare, fjädrar, länkarm, hjullager, drivaxel, styrservo,
    kylare, vattenpump, bränslepump, hydraulpump, oljefilter, luftfilter, tändstift, fälg, fälgar, aluminiumfälgar, däck, sommardäck,
    vinterdäck, dubbdäck, dragkrok, takräcke, takbox, backspegel, sidospegel, vindruta, vindrutetorkare, stötfångare, skärm, motorhuv, baklucka,
    dörr, grill, kåpa, avgasrör, instrumentkluster, styrenhet, ratt, bilstereo, mopeddelar, mc-delar, motorcykeldelar,
    traktordelar, lastbilsdelar, skoterdelar, fyrhjuling, originalnummer, OEM, passar årsmodell, vänster höger fram bak, brake disc, brake pads,
    headlight, tail light, starter motor, alternator, gearbox, clutch, carburettor, exhaust, shock absorber, radiator, fuel pump, wheels,
    rims, tyres, wing mirror, bumper, fender, bonnet, windscreen, tow bar, roof rack, engine, ${vehicleMakes}`),
  vehicles:
    list(`fordon, vehicles, bilar, bil, personbil, begagnad bil, veteranbil, elbil, laddhybrid, hybridbil, kombi, sedan, halvkombi, cab,
    cabriolet, SUV, skåpbil, transportbil, pickup, lastbil, buss, minibuss, husbil, husvagn, släpvagn, släpkärra, motorcykel, MC, cruiser, cross,
    enduro, scooter, moped, EU-moped, klass 1, veteranmoped, mopedbil, A-traktor, epatraktor, ATV, snöskoter, traktor, båt, båtar, motorbåt,
    segelbåt, gummibåt, roddbåt, utombordare, vattenskoter, besiktigad, nybesiktad, besiktning, skattad, avställd, ägare, servicebok,
    fullservad, miltal, mätarställning, körkort, registreringsnummer, registreringsbevis, automatlåda, manuell växellåda, bensin, diesel,
    körklar, renoveringsobjekt, car for sale, cars, estate car, station wagon, convertible, van, truck, motorcycle, motorbike, caravan,
    motorhome, trailer, tractor, boat, sailing boat, electric car, plug-in hybrid, mileage, one owner, inspected, ${vehicleMakes}`),
  electronics:
    list(`elektronik, electronics, hemelektronik, mobiltelefon, mobil, telefon, smartphone, iPhone, Samsung Galaxy, Google Pixel,
    Sony Xperia, Nokia, Huawei, OnePlus, olåst, mobilskal, laddare, powerbank, surfplatta, iPad, läsplatta, smartklocka, Apple Watch, Fitbit,
    pulsklocka, hörlurar, hörlur, AirPods, headset, brusreducering, högtalare, soundbar, Bluetooth, förstärkare, receiver, stereo, hifi, skivspelare,
    vinylspelare, kassettdäck, CD-spelare, radio, transistorradio, TV, platt-TV, projektor, hemmabio, DVD-spelare, Blu-ray-spelare, mediaspelare,
    Chromecast, Apple TV, kamera, digitalkamera, systemkamera, spegelreflexkamera, kompaktkamera, analog kamera, objektiv, zoomobjektiv, blixt,
    stativ, videokamera, actionkamera, GoPro, drönare, kikare, Canon EOS, Nikon, Leica, Hasselblad, GPS, navigator, fjärrkontroll, antenn, kablar,
    batteri, Bose, Bang & Olufsen, Sonos, JBL, mobile phone, cell phone, unlocked, tablet, smartwatch, headphones, earphones, earbuds, speaker,
    amplifier, turntable, television, camera, lens, drone, binoculars, charger, wireless, trådlös`),
  computers:
    list(`datorer, computers, dator, laptop, bärbar dator, notebook, MacBook, iMac, Mac mini, ThinkPad, Chromebook, stationär dator,
    speldator, gamingdator, gaming PC, mini-PC, server, NAS, hårddisk, SSD, NVMe, minne, RAM, DDR4, DDR5, processor, CPU, Intel Core i5 i7, AMD Ryzen,
    grafikkort, GPU, GeForce RTX, Radeon, moderkort, nätaggregat, chassi, datorchassi, bildskärm, datorskärm, skärm, monitor, tangentbord,
    mekaniskt tangentbord, mus, gamingmus, musmatta, webbkamera, dockningsstation, skrivare, laserskrivare, bläckpatron, toner, skanner, router,
    switch, nätverk, wifi, modem, nätverkskort, USB-minne, programvara, Windows, Office, Linux, retrodator, Commodore 64, Amiga, Atari, Raspberry Pi,
    Dell, Lenovo, HP, Asus, Acer, Logitech, desktop computer, gaming computer, keyboard, mouse, screen, display, hard drive, memory, graphics card,
    motherboard, power supply, printer, scanner, network, docking station, software`),
  fashion:
    list(`mode, fashion, kläder, clothes, clothing, damkläder, herrkläder, barnkläder, klänning, sommarklänning, festklänning, brudklänning,
    kjol, blus, skjorta, tröja, stickad tröja, kofta, cardigan, hoodie, T-shirt, linne, topp, byxor, jeans, chinos, shorts, leggings, kostym, kavaj,
    blazer, väst, jacka, vinterjacka, skinnjacka, dunjacka, kappa, rock, trenchcoat, päls, regnjacka, overall, bodysuit, pyjamas, underkläder, bh,
    strumpor, strumpbyxor, badkläder, bikini, baddräkt, folkdräkt, skor, sneakers, stövlar, stövel, kängor, boots, pumps, sandaler, klackskor,
    loafers, tofflor, barnskor, gummistövlar, accessoarer, väska, handväska, ryggsäck, axelremsväska, plånbok, bälte, skärp, halsduk, sjal, mössa,
    hatt, keps, handskar, vantar, slips, fluga, solglasögon, paraply, storlek, strl, stl, small medium large, XS, XL, ull, bomull, siden, läder,
    mocka, kashmir, Gucci, Louis Vuitton, Chanel, Acne, Filippa K, Levis, Nike, Adidas, Fjällräven, Polarn O. Pyret, dress, skirt, shirt, blouse,
    sweater, jumper, trousers, pants, jacket, coat, suit, shoes, handbag, bag, purse, backpack, belt, scarf, hat, gloves, size, vintage`),
  books:
    list(`böcker, books, media, bok, pocket, pocketbok, inbunden, häftad, roman, skönlitteratur, deckare, kriminalroman, thriller, fantasy,
    science fiction, novell, noveller, lyrik, dikter, poesi, barnbok, bilderbok, ungdomsbok, kokbok, fackbok, faktabok, kurslitteratur,
    studentlitteratur, lärobok, handbok, uppslagsverk, lexikon, ordbok, atlas, biografi, memoarer, historia, släktforskning, hembygd, resehandbok,
    flora, trädgårdsbok, seriealbum, serietidning, serier, manga, tidning, tidskrift, veckotidning, årgång, bokpaket, ljudbok, antikvarisk,
    förstaupplaga, författare, förlag, ISBN, upplaga, band, signerad bok, Bibel, psalmbok, Astrid Lindgren, Strindberg, Lagerlöf, Harry Potter, film,
    DVD, DVD-film, Blu-ray, VHS, TV-serie, LP, LP-skiva, vinyl, vinylskiva, singel, EP, CD, CD-skiva, musik-CD, kassettband, skivor, album, hardcover,
    paperback, novel, crime fiction, children's book, cookbook, textbook, handbook, dictionary, biography, poetry, magazine, comics, author, edition,
    audiobook, records, movie, film box`),
  watches:
    list(`klockor, watches, klocka, ur, armbandsur, herrur, damur, armbandsklocka, herrklocka, damklocka, fickur, dykarur, dykarklocka,
    kronograf, chronograph, automatisk, automatik, kvarts, kvartsur, mekanisk, manuellt uppdrag, handuppdragen, urverk, verk, boett, urtavla, tavla,
    visare, länk, klockarmband, läderarmband, stållänk, safirglas, vattentät, digitalklocka, smartur, bordsur, golvur, väggur, pendyl, gökur,
    väckarklocka, mantelur, moraklocka, urmakare, klockdelar, Rolex, Omega, Seiko, Casio, G-Shock, Citizen, Tissot, Longines, Tag Heuer, Certina,
    Breitling, Swatch, Timex, Orient, Hamilton, Tudor, Patek Philippe, Daniel Wellington, Submariner, Speedmaster, wristwatch, pocket watch,
    diver's watch, dive watch, automatic, quartz, mechanical, movement, dial, case diameter, strap, bracelet, sapphire crystal, clock,
    wall clock, alarm clock`),
  home_garden:
    list(`hem, trädgård, home, garden, hushåll, möbler, möbel, stol, stolar, fåtölj, soffa, bord, matbord, soffbord, skrivbord, byrå, skåp,
    hylla, bokhylla, säng, madrass, pall, fotpall, lampa, lampor, taklampa, bordslampa, golvlampa, vägglampa, ljuskrona, lampskärm, belysning,
    spegel, matta, ryamatta, gardiner, textil, kudde, filt, sängkläder, påslakan, duk, handduk, porslin, servis, tallrik, kopp, kaffekopp, mugg, tekanna,
    kaffekanna, glas, vinglas, karaff, bestick, kastrull, stekpanna, gryta, köksredskap, husgeråd, skål, fat, bricka, burk, kaffebryggare, kaffemaskin,
    brödrost, mixer, vattenkokare, mikrovågsugn, dammsugare, robotdammsugare, strykjärn, symaskin, kylskåp, frys, spis, tvättmaskin, diskmaskin,
    fläkt, ljusstake, vas, kruka, blomkruka, krukväxt, växter, frön, lökar, plantor, trädgårdsmöbler, utemöbler, gräsklippare, trädgårdsslang, grill,
    växthus, inredning, heminredning, julpynt, förvaring, korg, IKEA, Rörstrand, Gustavsberg, Höganäs, furniture, chair, armchair, sofa, table, desk,
    chest of drawers, cabinet, shelf, bed, lamp, ceiling lamp, mirror, rug, carpet, curtains, cushion, china, plates, cups, kitchenware, coffee pot,
    cutlery, vacuum cleaner, coffee maker, plant, pot, flower pot, lawn mower, barbecue, home decor`),
  art: list(`konst, antikviteter, art, antiques, antikt, antik, tavla, målning, oljemålning, olja på duk, olja på pannå, akvarell, gouache, akryl, teckning,
    tusch, pastell, litografi, färglitografi, grafik, etsning, träsnitt, serigrafi, gravyr, kopparstick, affisch, konsttryck, fotokonst, skulptur, staty,
    brons, statyett, figurin, relief, keramik, stengods, stengodsvas, glasyr, konstglas, glaskonst, konsthantverk, silver, nysilver, tenn,
    mässing, kristall, allmoge, jugend, gustaviansk, rokoko, empire, art deco, 1700-tal, 1800-tal, konstnär, signerad, numrerad, ramad, inramad, motiv,
    landskap, porträtt, stilleben, marinmålning, ikon, vävnad, gobeläng, Orrefors, Kosta Boda, Stig Lindberg, Lisa Larson, Carl Larsson, Zorn, Picasso,
    painting, oil painting, watercolour, drawing, print, lithograph, etching, engraving, poster, sculpture, bronze statue, figurine, ceramics, stoneware,
    pottery, art glass, signed, framed, canvas, artist, landscape, portrait, antique`),
  sports:
    list(`sport, fritid, sports, leisure, friluftsliv, cykel, cyklar, mountainbike, racercykel, hybridcykel, elcykel, barncykel, damcykel, cykelhjälm,
    cykeldelar, växlar, skidor, längdskidor, slalomskidor, alpint, snowboard, pjäxor, stavar, skridskor, hockey, ishockey, innebandy, klubba,
    innebandyklubba, fotboll, fotbollsskor, handboll, basket, tennis, tennisracket, badminton, padel, padelracket, bordtennis, golf, golfklubba,
    golfset, järnset, putter, driver, golfbag, boll, bollar, bowling, boxning, kampsport, simning, gym, träning, hantlar, skivstång, löpband,
    motionscykel, yogamatta, löparskor, inlines, rullskridskor, skateboard, longboard, sparkcykel, ridsport, sadel, ridstövlar, hästutrustning, träns,
    fiske, fiskespö, fiskerulle, haspelrulle, drag, wobbler, jakt, jaktkniv, camping, tält, tunneltält, sovsäck, liggunderlag, stormkök,
    vandring, vandringskängor, klättring, kajak, kanot, paddel, flytväst, surfbräda, windsurfing, dykning, våtdräkt, orientering, kompass, discgolf,
    dart, biljard, matchtröja, supporter, bicycle, bike, cycling, skis, cross-country skis, skates, football, soccer, racket, golf clubs, fitness,
    dumbbells, treadmill, horse riding, saddle, fishing rod, reel, lure, tent, sleeping bag, backpacking, hiking, kayak, canoe, paddle, wetsuit`),
  toys: list(`leksaker, spel, toys, games, leksak, barnleksaker, barnartiklar, babyartiklar, LEGO, LEGO Technic, Duplo, Playmobil, BRIO, tågbana, träleksaker, trätåg, klossar,
    byggklossar, docka, dockor, Barbie, dockhus, dockskåp, Lundby, dockvagn, nalle, nallebjörn, gosedjur, mjukdjur, kramdjur, Steiff, bilbana, leksaksbil,
    radiostyrd bil, modellbil, modelljärnväg, Märklin, byggsats, plastmodell, flygplansmodell, actionfigur, Star Wars figur, Transformers, My Little Pony,
    pussel, sällskapsspel, brädspel, kortspel, familjespel, tärning, schack, Monopol, Alfapet, frågesport, rollspel, Warhammer, Pokémon spel, TV-spel,
    datorspel, spelkonsol, Nintendo, Nintendo Switch, Game Boy, PlayStation, PS4, PS5, Xbox, Sega, handkontroll, babyleksaker, skallra, gåvagn,
    gunghäst, barnspel, utelek, sandlåda, pärlor, pyssel, slime, jojo, toy, doll, dolls, doll's house, teddy bear, soft toy, plush, wooden blocks,
    building blocks, wooden train, railway set, model railway, model kit, action figure, jigsaw puzzle, board game, card game, chess, dice, video game,
    console, controller, kids, children`),
  tools:
    list(`verktyg, maskiner, tools, machinery, handverktyg, elverktyg, borrmaskin, slagborrmaskin, skruvdragare, mutterdragare, borrhammare, bilmaskin,
    cirkelsåg, sticksåg, tigersåg, kapsåg, geringssåg, bordssåg, bandsåg, motorsåg, figursåg, såg, sågklinga, vinkelslip, slipmaskin, bandslip,
    excenterslip, fräs, handöverfräs, hyvel, elhyvel, rikthyvel, stämjärn, hammare, yxa, tång, polygrip, skiftnyckel, fast nyckel, hylsnyckel,
    hylsnyckelsats, hylsor, spärrskaft, momentnyckel, skruvmejsel, bits, bitsats, borr, borrset, fil, tving, skruvstäd, hyvelbänk, arbetsbänk,
    verktygslåda, verktygsvagn, verktygsset, vattenpass, tumstock, måttband, laser, multimeter, svets, elsvets, migsvets, lödkolv,
    varmluftspistol, limpistol, färgspruta, häftpistol, spikpistol, domkraft, pallbock, högtryckstvätt, elverk, stege, ställning, murverktyg,
    målarverktyg, bygg, byggmaterial, snickeri, Makita, Bosch, DeWalt, Milwaukee, Hikoki, Hitachi, Metabo, Festool, Ryobi, Hilti, Bahco, Stanley, Luna,
    Husqvarna motorsåg, drill, cordless drill, impact driver, hammer drill, circular saw, jigsaw, chainsaw, angle grinder, sander, planer, router,
    hand plane, chisel, hammer, axe, pliers, wrench, socket set, ratchet, screwdriver, vice, clamp, toolbox, spirit level, welder, soldering iron,
    pressure washer, ladder, workbench`),
  jewelry:
    list(`smycken, jewelry, jewellery, smycke, ring, ringar, guldring, silverring, vigselring, förlovningsring, diamantring, herrring, halsband, kedja,
    guldkedja, silverkedja, halskedja, collier, hänge, hängsmycke, berlock, medaljong, kors, armband, armring, guldarmband, bettlerarmband, ankelkedja,
    örhängen, örhänge, örsticken, creoler, brosch, slipsnål, manschettknappar, hårsmycke, tiara, piercing, pärlor, pärlhalsband, odlade pärlor,
    ädelstenar, ädelsten, diamant, briljant, safir, rubin, smaragd, ametist, akvamarin, opal, topas, granat, bärnsten, turkos, onyx, kamé, guld, 18k,
    18 karat, 14k, 9k, vitguld, roséguld, sterlingsilver, silver 925, 830 silver, stämplad, stämplat, guldsmed, silversmed, Georg Jensen, Efva Attling,
    Pandora, Swarovski, Thomas Sabo, Drakenberg Sjölin, smyckeskrin, earrings, necklace, pendant, bracelet, bangle, brooch, cufflinks, charm, gold
    ring, wedding ring, engagement ring, pearls, gemstones, diamond, sapphire, ruby, emerald, sterling silver, hallmark, carat`),
  music:
    list(`musikinstrument, musical instruments, instrument, gitarr, elgitarr, akustisk gitarr, klassisk gitarr, elbas, bas, basgitarr, ukulele,
    mandolin, banjo, luta, fiol, violin, altfiol, cello, kontrabas, stråke, nyckelharpa, harpa, cittra, piano, flygel, elpiano, keyboard, klaviatur,
    tangenter, orgel, dragspel, durspel, munspel, melodica, synt, synth, synthesizer, analogsynt, trummaskin, sampler, sequencer, MIDI, trummor, trumset,
    virveltrumma, bastrumma, cymbal, slagverk, bongo, djembe, xylofon, flöjt, tvärflöjt, blockflöjt, klarinett, oboe, fagott, saxofon, trumpet, trombon,
    valthorn, tuba, säckpipa, gitarrförstärkare, basförstärkare, effektpedal, pedal, mikrofon, mixerbord, ljudkort, studioutrustning, PA, kapodaster,
    strängar, plektrum, noter, notställ, gitarrfodral, fodral, stämapparat, metronom, Fender, Stratocaster, Telecaster, Gibson, Les Paul, Epiphone,
    Ibanez, Hagström, Levin, Martin, Yamaha piano, Roland, Korg, Moog, Marshall, Pearl, Hohner, guitar, electric guitar, acoustic guitar, bass guitar,
    drums, snare drum, drum kit, accordion, harmonica, flute, clarinet, saxophone, trumpet, synthesiser, amplifier, effects pedal, microphone,
    sheet music`),
  collectibles:
    list(`samlarföremål, samlarsaker, collectibles, samlar, samling, mynt, sedlar, silvermynt, guldmynt, jubileumsmynt, kronor, riksdaler,
    ören, skilling, medalj, medaljer, numismatik, frimärken, frimärke, frimärksalbum, förstadagsbrev, brev, poststämpel, vykort, fotografi,
    gamla foton, kort, samlarkort, hockeykort, fotbollskort, Pokémonkort, Magic kort, idolkort, autograf, filmaffisch, reklam, reklamskylt,
    emaljskylt, plåtskylt, skylt, plåtburk, tändsticksask, flaska, ölburk, kapsyl, bryggeri, ölglas, Coca-Cola, Kalle Anka nr 1, seriesamling, militaria,
    uniform, orden, bajonett, hjälm, märke, pins, knappar, nål, tennsoldat, porslinsfigur, sparbössa, nyckelring, telefonkort, leksaksbil i
    plåt, Hummel, Swarovskifigur, kungligt, kunglig, Titanic, järnväg, nostalgi, retro, 1950-tal, kuriosa, dödsbo, jul, tomte, coins, coin, banknotes,
    stamps, stamp album, first day cover, postcards, trading cards, football cards, hockey cards, autograph, enamel sign, tin sign, advertising,
    medals, badge, pin, militaria, memorabilia, matchbox, beer can, vintage, collection, commemorative`),
  beauty:
    list(`skönhet, hälsa, beauty, health, skönhetsvård, hudvård, hudkräm, ansiktskräm, dagkräm, nattkräm, serum, ansiktsmask, rengöring, solkräm,
    bodylotion, tvål, smink, makeup, foundation, mascara, läppstift, läppglans, ögonskugga, eyeliner, puder, concealer, sminkväska, nagellack,
    nagelvård, parfym, eau de parfum, eau de toilette, doft, herrparfym, damparfym, deodorant, hårvård, schampo, balsam, hårfön, hårtork, plattång,
    locktång, hårborste, hårtrimmer, rakapparat, rakhyvel, rakblad, rakborste, rakkniv, skäggtrimmer, epilator, eltandborste, tandborste,
    massage, massageapparat, massagepistol, hälsovård, kosttillskott, vitaminer, protein, våg, blodtrycksmätare, termometer, glasögon, linser,
    löshår, peruk, lösögonfransar, spa, eterisk olja, doftljus, oöppnad, 50 ml, 100 ml, Dior, Lancôme, Clinique, Estée Lauder, Chanel No 5, L'Oréal, Nivea,
    Braun, Philips, skin care, face cream, moisturiser, lotion, soap, lipstick, nail polish, perfume, cologne, fragrance, shampoo,
    hair dryer, straightener, curling iron, shaver, razor, shaving set, toothbrush, vitamins, supplements, wellness`),
  industrial:
    list(`industri, kommersiellt, industrial, commercial, industrimaskin, verkstadsmaskin, svarv, metallsvarv, pelarborrmaskin, fräsmaskin,
    kantpress, gradsax, kompressor, kolvkompressor, skruvkompressor, tryckluft, luftverktyg, elmotor, motor 3-fas, växelmotor, snäckväxel,
    frekvensomriktare, hydraulik, hydraulcylinder, hydraulaggregat, ventil, pneumatik, pump, lager, kullager, kugghjul, kedja, transportör,
    transportband, rullbana, travers, telfer, lyftdon, lyftbord, truck, gaffeltruck, staplare, palldragare, pallyftare, pall, pallställ, lagerhylla,
    lagerinredning, container, arbetsbord, elskåp, säkring, kontaktor, PLC, Siemens, givare, mätinstrument, oscilloskop, laboratorium, lab,
    mikroskop, restaurang, storkök, restaurangutrustning, diskbänk rostfri, kylbänk, degblandare, fritös, kaffemaskin proffs, butik,
    butiksinredning, kassa, kassaapparat, kassaregister, kassalåda, kortterminal, streckkodsläsare, skyltdocka, disk, kontor, kontorsmöbler,
    kontorsstol, konferensbord, arkivskåp, kopiator, förpackning, emballage, wellpapp, etiketter, arbetskläder, skyddsutrustning, entreprenad,
    grävmaskin, hjullastare, byggkran, jordbruk, lantbruksmaskin, plog, skördare, skogsmaskin, lathe, milling machine, air compressor,
    electric motor, worm gear, gearbox, hydraulic pump, hydraulic cylinder, valve, bearings, conveyor, hoist, crane, forklift, pallet jack, pallet
    truck, warehouse, racking, workshop, laboratory, restaurant equipment, catering, cash register, shop fittings, office furniture, packaging,
    excavator, farm machinery, factory`),
};

function list(words: string): readonly string[] {
  return words.split(',').map((word) => word.trim().replace(/\s+/g, ' '));
}
