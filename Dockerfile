# Lanekeeper's command line in an image: docker build -t lanekeeper . && docker run lanekeeper demo
# Started by the same script as from a source tree; beside lib/ it has nothing to build.

FROM eclipse-temurin:25-jdk AS build
WORKDIR /src
COPY . .
RUN ./mvnw -q -B -ntp package -pl demo -am \
        -Dmaven.test.skip=true -Dspotless.check.skip=true -Dcheckstyle.skip=true \
    && mkdir -p /opt/lanekeeper/lib \
    && cp demo/target/lib/*.jar demo/target/lanekeeper-demo-*.jar /opt/lanekeeper/lib/ \
    && cp -r lanekeeper config LICENSE /opt/lanekeeper/

FROM eclipse-temurin:25-jre
COPY --from=build /opt/lanekeeper /opt/lanekeeper
WORKDIR /opt/lanekeeper
# no name is needed, only not to be root
USER 10001:10001
ENTRYPOINT ["/opt/lanekeeper/lanekeeper"]
CMD ["--help"]
